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
  const key = await addOperator(database, 'bench', 'admin').finally(() => database.end())
  const closing = new AbortController()
  const answer = await fetch(`${url}/admin/v1/live`, {
    headers: { authorization: `Bearer ${key}` },
    signal: closing.signal,
  })
  if (!answer.ok) throw new Error(`the live stream answered ${answer.status}: ${await answer.text()}`)
  const reading = readAll(answer)
  side.stack.use({
    async stop() {
      closing.abort()
      const events = await reading
      if (events === 0) throw new Error('the live stream sent nothing')
    },
  })
}

/** How many events came until it was closed. */
async function readAll({ body }: Response): Promise<number> {
  let events = 0
  try {
    for await (const text of body!.pipeThrough(new TextDecoderStream()))
      events += text.split('event: now').length - 1
  } catch {
    // Closed by stop.
  }
  return events
}
