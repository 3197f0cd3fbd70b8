// @ts-check
// For the debugger: bundles the integration suites and empties their workspace folder.
import { mkdir, rm } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { bundleIntegration } from '../runner/bundle.mjs';

await bundleIntegration();
const workspace = inRoot('out', 'integration', 'workspace');
await rm(workspace, { recursive: true, force: true });
await mkdir(workspace, { recursive: true });
