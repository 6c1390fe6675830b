// A process that replaces one file again and again until it is killed: the body of killedWriter.test.ts.
// Arguments: the file, and how many bytes each version has. Each version is one byte value repeated.

import { writeAtomically } from '../../../main/atomicWrite';

const [target, size] = process.argv.slice(2);
if (target === undefined || size === undefined) throw new Error('usage: writingForever FILE BYTES');
for (let version = 1; ; version = (version % 250) + 1) {
  process.send?.(version);
  await writeAtomically(target, [Buffer.alloc(Number(size), version)]);
}
