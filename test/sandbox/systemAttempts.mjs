// @ts-check
// Attempts to get more rights, to reach processes outside, and to change the system.
import * as fs from 'node:fs';
import net from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { around, call, calls, perl, run, secretIn, system } from './attempt.mjs';

const { folder, outside, home, victims, abstractName, sharedMemory } = around;
const file = join(outside, 'file.txt');
const newUser = 0x10000000;
const newMounts = 0x20000;
const remount = 32 | 4096;

/** Opens a file for writing, and writes nothing. @param {string} path */
const openForWriting = (path) => fs.closeSync(fs.openSync(path, 'r+'));

/** @param {string} what @param {(pid: number) => unknown} reach */
function reaching(what, reach) {
  return victims.map((pid, at) => ({
    name: `${what} ${at === 0 ? 'the editor' : 'the watchdog'}`,
    run: () => reach(pid),
  }));
}

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const processes = [
  ...reaching('signal', (pid) => process.kill(pid, 0)),
  ...reaching('end', (pid) => process.kill(pid, 'SIGKILL')),
  ...reaching('trace', (pid) => system(calls.ptrace, 16, pid, 0, 0)),
  ...reaching('read the environment of', (pid) => secretIn(fs.readFileSync(`/proc/${pid}/environ`, 'latin1'))),
  ...reaching('open the memory of', (pid) => fs.openSync(`/proc/${pid}/mem`, 'r+')),
  ...reaching('copy the memory of', (pid) =>
    perl(
      `my $b = "\\0" x 8; my $l = pack("pQ", $b, 8); my $r = pack("QQ", 4194304, 8); my $n = syscall(${calls.readMemory}, ${pid}, $l, 1, $r, 1, 0); die "$!\\n" if $n == -1;`,
    ),
  ),
  ...reaching('overwrite the memory of', (pid) =>
    perl(
      `my $b = "\\0" x 8; my $l = pack("pQ", $b, 8); my $r = pack("QQ", 4194304, 8); my $n = syscall(${calls.writeMemory}, ${pid}, $l, 1, $r, 1, 0); die "$!\\n" if $n == -1;`,
    ),
  ),
  ...reaching('take a descriptor of', (pid) =>
    perl(
      `my $p = syscall(${calls.openPidfd}, ${pid}, 0); die "$!\\n" if $p == -1; my $f = syscall(${calls.getFdOfPid}, $p, 1, 0); die "$!\\n" if $f == -1;`,
    ),
  ),
  ...reaching('enter the namespaces of', (pid) =>
    perl(
      `open(my $f, "<", "/proc/${pid}/ns/mnt") or die "$!\\n"; my $r = syscall(${calls.setns}, fileno($f), 0); die "$!\\n" if $r == -1;`,
    ),
  ),
  {
    name: 'type into the terminal of whoever started it',
    isOnMachine: true,
    run: () => perl('open(my $t, "+<", "/dev/tty") or die "$!\\n"; my $c = "x"; ioctl($t, 0x5412, $c) or die "$!\\n";'),
  },
  {
    name: 'attach to shared memory outside',
    run: () => perl(`my $i = syscall(${calls.shmget}, ${sharedMemory}, 0, 0); die "$!\\n" if $i == -1;`),
  },
  { name: 'connect to the socket of Docker', run: () => connect(join(outside, 'docker.sock')) },
  { name: 'connect to D-Bus', run: () => connect(join(outside, 'bus')) },
  { name: 'connect to the editor’s socket', run: () => connect(join(home, 'editor.sock')) },
  {
    name: 'connect to a socket through a link',
    run: () => {
      const link = join(folder, `socket-${process.pid}`);
      fs.symlinkSync(join(outside, 'bus'), link);
      return connect(link);
    },
  },
  { name: 'connect to a socket without a file', run: () => connect(`\0${abstractName}`) },
  { name: 'make a socket by the calls of another system', run: () => system(0x40000000 + calls.socket, 1, 1, 0) },
  {
    name: 'make a socket in a ring of calls',
    run: () => perl(`my $p = "\\0" x 120; my $f = syscall(${calls.ioUringSetup}, 8, $p); die "$!\\n" if $f == -1;`),
  },
];

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const rights = [
  {
    name: 'make everything writable again',
    run: () => {
      system(calls.mount, 'none', '/', '', remount, 0);
      fs.appendFileSync(file, 'evil');
    },
  },
  {
    name: 'make the folder outside writable again',
    run: () => {
      system(calls.mount, outside, outside, '', remount, 0);
      fs.appendFileSync(file, 'evil');
    },
  },
  {
    name: 'become root of a new namespace and write',
    run: () =>
      perl(
        `${call(calls.unshare, newUser | newMounts)} ${call(calls.mount, 'none', '/', '', remount, 0)} open(my $f, ">>", "${file}") or die "$!\\n"; print $f "evil";`,
      ),
  },
  {
    name: 'become root of a new namespace with a program',
    run: () => {
      run('unshare', '-Urm', 'sh', '-c', `mount -o remount,bind,rw / && echo evil >> '${file}'`);
    },
  },
  {
    name: 'mount the folder again elsewhere',
    run: () => {
      const to = join(folder, `mount-${process.pid}`);
      fs.mkdirSync(to);
      system(calls.mount, outside, to, '', 4096, 0);
      fs.writeFileSync(join(to, 'file.txt'), 'evil');
    },
  },
  {
    name: 'mount by the new calls',
    run: () =>
      perl(
        `my $p = "/"; my $f = syscall(${calls.openTree}, -100, $p, 1); die "$!\\n" if $f == -1; my $e = ""; my $t = "${folder}/packages"; my $r = syscall(${calls.moveMount}, $f, $e, -100, $t, 4); die "$!\\n" if $r == -1; open(my $w, ">>", "${folder}/packages${file}") or die "$!\\n";`,
      ),
  },
  {
    name: 'open a file system',
    run: () =>
      perl(
        `my $n = "ext4"; my $f = syscall(${calls.fsopen}, $n, 0); die "$!\\n" if $f == -1; my $k = "source"; my $v = "/dev/sda"; my $r = syscall(431, $f, 1, $k, $v, 0); die "$!\\n" if $r == -1; $r = syscall(431, $f, 6, 0, 0, 0); die "$!\\n" if $r == -1;`,
      ),
  },
  {
    name: 'change the root',
    run: () => perl(`${call(calls.chroot, '/proc/1/root')} open(my $f, ">>", "${file}") or die "$!\\n";`),
  },
  {
    name: 'load a module of the kernel',
    run: () =>
      perl(`my $i = "x"; my $o = ""; my $r = syscall(${calls.initModule}, $i, 1, $o); die "$!\\n" if $r == -1;`),
  },
  {
    name: 'load a program into the kernel',
    run: () =>
      perl(
        `my $a = pack("LLLLL", 1, 4, 4, 1, 0) . "\\0" x 100; my $r = syscall(${calls.bpf}, 0, $a, 120); die "$!\\n" if $r == -1;`,
      ),
  },
  { name: 'name the machine', run: () => system(calls.sethostname, hostname(), hostname().length) },
  {
    name: 'set the clock',
    run: () => perl(`my $t = pack("qq", time, 0); my $r = syscall(${calls.settime}, 0, $t); die "$!\\n" if $r == -1;`),
  },
  { name: 'set who gets dumps of memory', run: () => openForWriting('/proc/sys/kernel/core_pattern') },
  { name: 'send a command to the kernel', run: () => openForWriting('/proc/sysrq-trigger') },
  { name: 'set who is told of an empty group', run: () => fs.writeFileSync('/sys/fs/cgroup/release_agent', '') },
  {
    name: 'move to another group of processes',
    run: () => fs.writeFileSync('/sys/fs/cgroup/cgroup.procs', String(process.pid)),
  },
  { name: 'set a program for events of devices', run: () => openForWriting('/sys/kernel/uevent_helper') },
  { name: 'write to the kernel’s log', run: () => openForWriting('/dev/kmsg') },
  { name: 'open a virtual machine', run: () => fs.openSync('/dev/kvm', 'r+') },
  { name: 'open a tunnel', run: () => fs.openSync('/dev/net/tun', 'r+') },
  { name: 'open a disk', run: () => openADisk() },
  { name: 'get rights from a program with more', run: setuid },
  {
    name: 'read the keys of the kernel',
    run: () =>
      perl(`my $t = "user"; my $d = "${around.marker}"; my $n = syscall(249, $t, $d, 0, 0); die "$!\\n" if $n == -1;`),
  },
];

/** @param {string} path */
function connect(path) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(path, () => resolve('connected'));
    socket.on('error', reject);
  });
}

function openADisk() {
  const [disk] = fs.readdirSync('/sys/block').filter((name) => !/^(loop|ram)/.test(name));
  return fs.openSync(`/dev/${disk ?? 'sda'}`, 'r');
}

/** A program that belongs to root gives no rights to its caller, if no process here can get any. */
function setuid() {
  const { 1: isHeld } = /^NoNewPrivs:\s*(\d)/m.exec(fs.readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (isHeld === '1') throw new Error('Programs get no new rights here');
}
