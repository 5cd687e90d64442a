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
const closings: Closing[] = []

// Here and not in atEnd: called within a test, `after` would mean the end of that test.
after(closeAll)

export function atEnd(closing: Closing): void {
  closings.push(closing)
}

async function closeAll(): Promise<void> {
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
  // An open handle would keep the process running: fail instead.
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`The tests have ended, but something is still open: ${open}\n`)
    process.exit(1)
  }, leaveWithinMs).unref()
  if (failures.length > 0) throw new AggregateError(failures, 'some resources could not be closed')
}
