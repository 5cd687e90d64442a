/**
 * `npm run suite -- peers`: runs all cases of the SMPP client with third-party carriers and of the SMPP
 * server with third-party clients. Prints two lists; `--json` prints only counts, `--write` fills
 * docs/evidence/peers.md, `--only jsmpp,Kannel` runs some, `--direction carriers` or `clients` runs one of
 * the two, `--install` installs missing Debian packages as root.
 */
import { parseArgs } from 'node:util'
import { recorded, testConnector } from '../../support/smpp/fixtures.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { carrierKinds, type Carrier, type CarrierKind } from './carriers.ts'
import { carrierCases, type CarrierTestBed } from './carrier-cases.ts'
import { clientCases, type ClientTestBed } from './client-cases.ts'
import { clientKinds, type ClientKind } from './clients.ts'
import { installDebianPackages } from './install.ts'
import { captureCase, isPrepared, runPeer, say } from './run-peer.ts'
import { openServer, password, type ServerUnderTest } from './server-under-test.ts'
import { countResults, toMarkdown, type PeerResults } from './table.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    install: { type: 'boolean' },
    only: { type: 'string' },
    direction: { type: 'string' },
  },
})
const only = values.only?.split(',')
const isChosen = ({ name }: { readonly name: string }): boolean => only?.includes(name) ?? true
const linkOptions = { enquireIntervalMs: 50, enquireTimeoutMs: 10_000, dataCoding: { latin1: 3 } }

async function runCarrier(kind: CarrierKind): Promise<PeerResults> {
  if (!isPrepared(kind)) return { ...kind, results: new Map() }
  let carrier: Carrier
  try {
    carrier = await kind.open()
  } catch (error) {
    say(`WRONG ${kind.name}: ${(error as Error).message}`)
    return { ...kind, results: new Map(Object.keys(carrierCases).map((name) => [name, 'failed'] as const)) }
  }
  const result = await runPeer<CarrierTestBed>({
    kind,
    cases: carrierCases,
    port: carrier.port,
    ours: 'client',
    open: (tap) => {
      const record = recorded()
      const connector = testConnector(tap.port, linkOptions, record)
      const stage = { kind, carrier, connector, record, tap }
      return Promise.resolve({ stage, close: () => connector.stop() })
    },
  })
  await carrier.close()
  return result
}

async function runClient(kind: ClientKind, server: ServerUnderTest): Promise<PeerResults> {
  if (!isPrepared(kind)) return { ...kind, results: new Map() }
  const systemId = kind.name.toLowerCase().replace(/[^a-z-]/g, '')
  await server.addAccount(systemId)
  return runPeer<ClientTestBed>({
    kind,
    cases: clientCases,
    port: server.port,
    ours: 'carrier',
    open: async (tap) => {
      const client = await kind.open(tap.port, systemId, password)
      const stage: ClientTestBed = {
        kind,
        client,
        tap,
        next: () => ++messages,
        partsAt: (to) => server.partsAt(to),
        limit: (perSecond) => server.limit(systemId, perSecond),
      }
      return { stage, close: () => client.close() }
    },
  })
}

if (values.install) installDebianPackages()
const carriers: PeerResults[] = []
const clients: PeerResults[] = []
const findings: string[] = []
let messages = 0

if (values.direction !== 'clients')
  for (const kind of carrierKinds.filter(isChosen)) carriers.push(await runCarrier(kind))
const chosenClients = values.direction === 'carriers' ? [] : clientKinds.filter(isChosen)
if (chosenClients.length > 0) {
  const server = await openServer()
  try {
    for (const kind of chosenClients) clients.push(await runClient(kind, server))
  } finally {
    findings.push(...(await server.close()))
  }
}
for (const finding of findings) say(`WRONG ${finding}`)

const tables = {
  carriers: carriers.length === 0 ? '' : toMarkdown([...Object.keys(carrierCases), captureCase], carriers),
  clients: clients.length === 0 ? '' : toMarkdown([...Object.keys(clientCases), captureCase], clients),
}
const results = [...carriers, ...clients]
const counted = countResults(results)
const counts = { passed: counted.passed, failed: counted.failed + findings.length }
for (const [section, table] of Object.entries(tables)) {
  if (table === '') continue
  if (values.write) await writeDocSection('evidence/peers.md', section, table)
  if (!values.json) process.stdout.write(`${table}\n\n`)
}
if (values.json) process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exitCode = counts.failed > 0 ? 1 : 0
