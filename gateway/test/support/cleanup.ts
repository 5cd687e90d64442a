/**
 * Closes the resources of a test file after its last test, in reverse order: a consumer before its
 * connection, a connection before its database.
 */
import { after } from 'node:test'
import { withTimeout } from './wait.ts'

type Closing = () => unknown

// `drop database` waits for a checkpoint, which is slow on a busy machine.
const closeWithinMs = 20_000
/** Sockets and pools take seconds to close on a busy machine. */
const leaveWithinMs = 10_000
const ofFile: Closing[] = []
const ofProcess: Closing[] = []

// Not in addCleanup: within a test, `after` would register a hook of that test.
after(closeAll)

export function addCleanup(closing: Closing): void {
  ofFile.push(closing)
}

/** Registers a cleanup for resources that the test files of one process share; see run-files.ts. */
export function addProcessCleanup(closing: Closing): void {
  ofProcess.push(closing)
}

/** Call when one of several files of a process has ended. */
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

/** Fails if a handle stays open, which would keep the process running. */
function watchHandles(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`The tests have ended, but handles are still open: ${open}\n`)
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
