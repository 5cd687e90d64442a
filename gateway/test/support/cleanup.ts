/**
 * What a test file has opened, closed again when its last test has ended, the last opened first: a consumer goes
 * before its connection, a connection before its database.
 */
import { after } from 'node:test'
import { withTimeout } from './wait.ts'

type Closing = () => unknown

const closeWithinMs = 5_000
const leaveWithinMs = 3_000
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
  // What is still open now would keep the file running for ever: it fails instead.
  setTimeout(() => {
    process.stderr.write('the tests have ended and something is still open\n')
    process.exit(1)
  }, leaveWithinMs).unref()
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
}
