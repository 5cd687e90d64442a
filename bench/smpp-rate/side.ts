/**
 * Measures one session of one library in its own process: node bench/smpp-rate/side.ts <postern|node-smpp>
 * <seconds> <window>. Submits parts to a simulated SMSC, as many at a time as the window allows, and answers
 * the receipts. Prints one line of JSON.
 */
import smpp from 'smpp'
import { createConnector } from '../../gateway/src/carriers/connectors/registry.ts'
import { recorded, submission } from '../../gateway/test/support/smpp/fixtures.ts'
import { waitFor } from '../../gateway/test/support/wait.ts'
import { cpuOfProcess } from '../cpu.ts'
import { startProgram } from '../programs.ts'
import type { SessionMeasurement } from './page.ts'

/** Time to compile code. */
const warmUpSeconds = 2
const text = 'Your order has left. It arrives tomorrow.'
const [from, to] = ['0215880000', '01012345678']

interface Session {
  /** Resolves when the part is answered; false if it was refused. */
  submit(): Promise<boolean>
  readonly receipts: () => number
  close(): Promise<void> | void
}

const [library, seconds, window] = process.argv.slice(2) as [keyof typeof sessions, string, string]
const sessions = { postern: openPostern, 'node-smpp': openNodeSmpp }
const smsc = await startProgram({
  name: 'SMSC',
  args: ['simulator/src/main.ts', 'smsc', '--port', '0', '--control-port', '0'],
  ready: (line) => (typeof line['ready'] === 'string' ? (line['port'] as number) : undefined),
})
const session = await sessions[library](smsc.readyValue, Number(window))

let [accepted, refused] = [0, 0]
async function load(forSeconds: number): Promise<void> {
  const end = performance.now() + forSeconds * 1_000
  const submitUntil = async (): Promise<void> => {
    while (performance.now() < end) {
      if (await session.submit()) accepted++
      else refused++
    }
  }
  await Promise.all(Array.from({ length: Number(window) }, submitUntil))
}
const cpus = (): [number, number] => {
  const { user, system } = process.cpuUsage()
  return [user + system, cpuOfProcess(smsc.pid)]
}

await load(warmUpSeconds)
const [startedAt, acceptedBefore, receiptsBefore] = [performance.now(), accepted, session.receipts()]
const [ownBefore, smscBefore] = cpus()
await load(Number(seconds))
const elapsed = (performance.now() - startedAt) / 1_000
const [ownAfter, smscAfter] = cpus()
const figures: SessionMeasurement = {
  library,
  seconds: elapsed,
  parts: accepted - acceptedBefore,
  refused,
  receipts: session.receipts() - receiptsBefore,
  clientMicros: ownAfter - ownBefore,
  smscMicros: smscAfter - smscBefore,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
await session.close()
await smsc.stop()
process.exit(0)

async function openPostern(port: number, size: number): Promise<Session> {
  let receipts = 0
  const connector = createConnector(
    'smpp',
    { host: '127.0.0.1', port, systemId: 'postern', password: 'secret08', window: size, sessions: 1 },
    {
      ...recorded().context,
      // Receipts are not kept: a million of them would be measured as memory.
      onReceipt: () => {
        receipts++
        return Promise.resolve()
      },
    },
  )
  connector.start()
  await waitFor('the link', () => connector.linked)
  const part = submission({ from, to }, text)
  let nth = 0
  return {
    submit: async () => {
      const reference = `20261115000000000C00A${String(nth++).padStart(11, '0')}-1-1-1`
      return (await connector.submit({ ...part, reference })).kind === 'accepted'
    },
    receipts: () => receipts,
    close: () => connector.stop(),
  }
}

async function openNodeSmpp(port: number): Promise<Session> {
  let receipts = 0
  const client = smpp.connect({ url: `smpp://127.0.0.1:${port}` })
  client.on('pdu', (pdu) => {
    if (pdu.command === 'deliver_sm') receipts++
    if (['deliver_sm', 'enquire_link'].includes(pdu.command)) client.send(pdu.response())
  })
  client.on('error', () => undefined)
  const bound = await new Promise<number>((resolve) =>
    client.bind_transceiver({ system_id: 'postern', password: 'secret08' }, ({ command_status: status }) =>
      resolve(status),
    ),
  )
  if (bound !== 0) throw new Error(`node-smpp bind failed with status ${bound}`)
  const addresses = { source_addr: from, destination_addr: to, dest_addr_ton: 1, dest_addr_npi: 1 }
  const fields = { ...addresses, registered_delivery: 1, data_coding: 0, short_message: text }
  return {
    submit: () =>
      new Promise((resolve) =>
        client.submit_sm(fields, ({ command_status: status }) => resolve(status === 0)),
      ),
    receipts: () => receipts,
    close: () => client.close(),
  }
}
