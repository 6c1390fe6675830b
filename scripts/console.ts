// What the tasks say to the person: short progress lines, and failures that name the cause and the remedy.

/** A failure of a task that the person can do something about. `runTask` prints both parts and exits with `exitCode`. */
export class TaskError extends Error {
  readonly remedy: string;
  readonly exitCode: number;
  constructor(cause: string, remedy: string, exitCode = 1) {
    super(cause);
    this.name = 'TaskError';
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** One line of progress: what is worked on, and what happens to it. */
export function say(subject: string, news: string): void {
  process.stdout.write(`• ${subject}: ${news}\n`);
}

/** A duration in milliseconds for people: `0.4 s`, `12 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Runs a task to its end: exit code 0, or the failure in words and its exit code. */
export async function runTask(task: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await task()) ?? 0;
  } catch (thrown) {
    if (thrown instanceof TaskError) {
      process.stderr.write(`\n✗ ${thrown.message}\n  ${thrown.remedy.replaceAll('\n', '\n  ')}\n`);
      process.exitCode = thrown.exitCode;
    } else {
      process.stderr.write(`\n✗ ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
      process.exitCode = 1;
    }
  }
}
