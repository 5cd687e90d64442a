/**
 * Closes what a test file has opened when its last test has ended, in reverse order: a consumer before its connection,
 * a connection before its database.
 */
import { after } from 'node:test'
import { withTimeout } from './wait.ts'

type Closing = () => unknown

// `drop database` waits for a checkpoint, which took more than 5 s on a machine with other load.
const closeWithinMs = 20_000
/** Sockets and pools of a busy machine take seconds to close. */
const leaveWithinMs = 10_000
const ofFile: Closing[] = []
const ofProcess: Closing[] = []

// Here and not in atEnd: called within a test, `after` would mean the end of that test.
after(closeAll)

export function atEnd(closing: Closing): void {
  ofFile.push(closing)
}

/** For what the test files of one process share; see run-files.ts. */
export function atProcessEnd(closing: Closing): void {
  ofProcess.push(closing)
}

/** When one of several files of a process has ended. */
export function closeFile(): Promise<void> {
  return close(ofFile)
}

async function closeAll(): Promise<void> {
  try {
    await close(ofFile)
  } finally {
    await close(ofProcess).finally(watchHandles)
  }
}

/** An open handle would keep the process running: fail instead. */
function watchHandles(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`The tests have ended, but something is still open: ${open}\n`)
    process.exit(1)
  }, leaveWithinMs).unref()
}

async function close(closings: Closing[]): Promise<void> {
  const failures: unknown[] = []
  for (let closing = closings.pop(); closing !== undefined; closing = closings.pop()) {
    try {
      await withTimeout(`the end of ${closing.toString()}`, Promise.resolve(closing()), {
        timeoutMs: closeWithinMs,
      })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, 'some resources could not be closed')
}
