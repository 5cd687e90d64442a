/**
 * Measures an RCS connector alone: one connector in this process submits to a simulated host in another one, as fast as its
 * window allows. Prints messages a second, and the CPU time of a message in both processes. Usage: node
 * bench/connector-rate.ts maap|maap-kt [messages] [window]. Needs no services; the CPU time of the host needs Linux.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createConnector } from '../gateway/src/connectors/registry.ts'
import { recorded } from '../gateway/test/support/smpp/fixtures.ts'
import { rcsSubmission, webhookToken } from '../gateway/test/support/maap.ts'
import { waitFor } from '../gateway/test/support/wait.ts'

const [kind = 'maap', asked = '20000', givenWindow = '50'] = process.argv.slice(2)
if (kind !== 'maap' && kind !== 'maap-kt') throw new Error(`maap or maap-kt, not ${kind}`)
const [messages, window] = [Number(asked), Number(givenWindow)]

const carrier = kind === 'maap' ? 'skt' : 'kt-relay'
const simulator = spawn(
  process.execPath,
  ['simulator/src/main.ts', 'maap', '--carrier', carrier, '--port', '0', '--control-port', '0'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const lines = createInterface({ input: simulator.stdout })
const [line] = (await once(lines, 'line')) as [string]
const { port } = JSON.parse(line) as { readonly port: number }

const options =
  kind === 'maap'
    ? {
        carriers: { skt: { url: `http://127.0.0.1:${port}/ag/1.2`, clientId: 'c', clientSecret: 's' } },
        agencyId: 'agency',
      }
    : { url: `http://127.0.0.1:${port}/corp/v1`, rcsId: 'c', rcsSecret: 's' }
const record = recorded()
const connector = createConnector(
  kind,
  { ...options, agencyKey: 'AK.key', webhookToken, window },
  record.context,
)
connector.start()
await waitFor('the token', () => connector.linked)

const submission = rcsSubmission({
  ...{ from: '15881588', to: '01012345678', formatId: 'SL000000', brandKey: 'BK.key' },
  content: {
    standalone: {
      title: '주문 안내',
      text: '주문하신 상품이 출발했습니다. 내일 도착합니다.',
      button: [{ type: 'URL', name: '주문 보기', url: 'https://shop.example/orders/1' }],
    },
  },
})

const refused = new Map<string, number>()
let next = 0
async function submitAll(limit: number): Promise<void> {
  while (next < limit) {
    const reference = `20261115000000000C00A${String(next++).padStart(11, '0')}-1-1-1`
    const outcome = await connector.submit({ ...submission, reference })
    if (outcome.kind !== 'accepted') refused.set(outcome.kind, (refused.get(outcome.kind) ?? 0) + 1)
  }
}
const inParallel = (limit: number): Promise<unknown> =>
  Promise.all(Array.from({ length: window }, () => submitAll(limit)))

// Compiled code and open connections first.
await inParallel(Math.min(2_000, messages))
const [cpuBefore, hostBefore, startedAt] = [process.cpuUsage(), hostCpuMs(), performance.now()]
await inParallel(Math.min(2_000, messages) + messages)
const seconds = (performance.now() - startedAt) / 1_000
const { user, system } = process.cpuUsage(cpuBefore)
const ownUs = (user + system) / messages
const hostUs = ((hostCpuMs() - hostBefore) * 1_000) / messages
console.log(
  `${kind}: ${messages} messages in ${seconds.toFixed(1)} s, ${(messages / seconds).toFixed(0)} a second with a window of ${window}; ` +
    `CPU of a message: connector ${ownUs.toFixed(0)} µs, simulated host ${hostUs.toFixed(0)} µs`,
)
if (refused.size > 0) console.log('not accepted:', Object.fromEntries(refused))
await connector.stop()
simulator.kill()

/** Ticks of 10 ms; 0 where there is no /proc. */
function hostCpuMs(): number {
  try {
    const fields = readFileSync(`/proc/${simulator.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}
