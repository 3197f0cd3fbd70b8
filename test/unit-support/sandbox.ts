import { execFileSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

/** The value of PATH for a sandbox and what runs in it: the tests have their own bubblewrap, where nothing else finds it. */
export const pathForSandbox = process.env['PARLEY_SANDBOX_PATH'] ?? process.env['PATH'] ?? '';

/** Options for tests that run in a real sandbox: skipped where this machine can't make one. */
export const inSandbox: { readonly skip: string | false } = { skip: whyNot() };

function whyNot(): string | false {
  if (process.platform !== 'linux') return 'the sandbox is tried on Linux';
  try {
    const isolated = ['--unshare-user', '--unshare-pid', '--unshare-net', '--dev', '/dev', '--proc', '/proc'];
    const env = { PATH: pathForSandbox };
    execFileSync('bwrap', ['--ro-bind', '/', '/', ...isolated, 'true'], { stdio: 'pipe', env });
    execFileSync('socat', ['-V'], { stdio: 'pipe', env });
    execFileSync('rg', ['--version'], { stdio: 'pipe', env });
    return false;
  } catch (error) {
    return `bubblewrap, socat, or ripgrep can't run here: ${String(error)}`;
  }
}

/** Returns a module that makes the program that imports it first believe that it runs on another system. */
export function pretending(platform: NodeJS.Platform): string {
  return `data:text/javascript,Object.defineProperty(process,'platform',{value:'${platform}'})`;
}

/** Builds a script as in the extension, whose scripts are modules, in a folder that has only such scripts. */
export async function buildScript(outfile: string, source: Pick<BuildOptions, 'entryPoints' | 'stdin'>): Promise<void> {
  await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    absWorkingDir: process.cwd(),
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    ...source,
    outfile,
  });
  await writeFile(join(dirname(outfile), 'package.json'), '{ "type": "module" }\n');
}

/** Builds the keeper's script in a folder, with the programs that it needs, and resolves to its path. */
export async function buildKeeper(folder: string): Promise<string> {
  const outfile = join(folder, 'sandboxKeeper.js');
  await buildScript(outfile, { entryPoints: ['src/sandbox/keeper/main.ts'] });
  // The library looks for its programs beside the bundle. For one that isn't there, it asks npm, which writes into the home folder.
  const vendor = join('node_modules', '@anthropic-ai', 'sandbox-runtime', 'vendor');
  for (const part of ['seccomp', 'java-proxy-agent']) {
    await cp(join(vendor, part), join(folder, 'vendor', part), { recursive: true });
  }
  return outfile;
}
