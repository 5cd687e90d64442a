/**
 * `--console`: `postern admin` runs on both sides; on one a reader holds the live stream of the first screen open, which is all that this
 * screen reads while it is looked at. What a browser needs to draw it is not measured: it runs on the operator's machine.
 */
import { addOperator } from '../../gateway/test/support/operators.ts'
import { openDatabase } from '../../gateway/src/platform/database.ts'
import { quietLog } from '../../gateway/test/support/silent-log.ts'
import type { CleanupStack } from '../cleanup-stack.ts'
import type { BenchEnvironment } from '../environment.ts'
import type { Gateway } from '../gateway.ts'
import type { Meter } from '../meter.ts'

export interface StartedSide {
  readonly gateway: Gateway
  readonly environment: BenchEnvironment
  readonly stack: CleanupStack
  readonly meter: Meter
}

export async function startAdmin({ gateway, stack, meter }: StartedSide): Promise<string> {
  const admin = stack.use(await gateway.startAdmin())
  meter.watch('gateway admin', admin.pid)
  return admin.url
}

export async function openConsole(side: StartedSide): Promise<void> {
  const url = await startAdmin(side)
  const database = openDatabase(side.environment.databaseUrl, quietLog, { connections: 1 })
  let key: string
  try {
    key = await addOperator(database, 'bench', 'admin')
  } finally {
    await database.end()
  }
  const closing = new AbortController()
  const answer = await fetch(`${url}/admin/v1/live`, {
    headers: { authorization: `Bearer ${key}` },
    signal: closing.signal,
  })
  if (!answer.ok) throw new Error(`the live stream answered ${answer.status}: ${await answer.text()}`)
  const stream = { open: true }
  void readAll(answer).finally(() => (stream.open = false))
  side.stack.use({
    stop() {
      const { open } = stream
      closing.abort()
      return open
        ? Promise.resolve()
        : Promise.reject(new Error('the live stream ended before the measurement: these figures are wrong'))
    },
  })
}

async function readAll({ body }: Response): Promise<void> {
  try {
    await body!.pipeTo(new WritableStream())
  } catch {
    // Closed by stop, which knows whether it was open.
  }
}
