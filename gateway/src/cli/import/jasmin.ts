/**
 * Converts commands of Jasmin's console to routes and accounts: SMPP client connectors, users, and the routes
 * of the MT router.
 */
import type { ImportedConfiguration, ImportedAccount, ImportedRoute } from './imported.ts'
import { omitUndefined, UniqueNames, passwordVariable, readNumber, withoutReferences } from './imported.ts'
import { readJasminFile, type JasminFile, type JasminObject } from './jasmin-file.ts'
import { readConnectorUses, type ConnectorUse } from './jasmin-routes.ts'

/**
 * Settings that are read below, or have no meaning here. `dlr_msgid` has none, because receipts are matched in both
 * number bases of an id.
 */
const unneeded = new Set([
  ...[
    'cid',
    'host',
    'port',
    'ssl',
    'username',
    'password',
    'bind',
    'bind_to',
    'res_to',
    'systype',
    'addr_range',
  ],
  ...['con_loss_delay', 'con_fail_delay', 'src_ton', 'src_npi', 'dst_ton', 'dst_npi', 'submit_throughput'],
  ...[
    'elink_interval',
    'dlr_msgid',
    'logfile',
    'logrotate',
    'loglevel',
    'logprivacy',
    'trx_to',
    'pdu_red_to',
  ],
  ...['con_loss_retry', 'con_fail_retry', 'requeue_delay', 'dlr_expiry', 'def_msg_id', 'ripf', 'priority'],
  ...['bind_ton', 'bind_npi', 'proto_id'],
])

export function importJasmin(content: string): ImportedConfiguration {
  const file = readJasminFile(content)
  const clients = new UniqueNames()
  const clientIds = new Map<string, string>()
  const accounts = findObjects(file, 'user').map((user) => {
    const uid = user.values.get('uid') ?? user.values.get('username') ?? 'user'
    clientIds.set(uid, clients.next(uid))
    return readUser(user, clientIds.get(uid)!)
  })
  const notes = file.others.map((name) => `Commands without a counterpart: ${name}`)
  if (findObjects(file, 'morouter').length > 0)
    notes.push(
      'Routes of messages from phones (morouter) have no counterpart: such messages are not received',
    )
  const uses = readConnectorUses(file, clientIds)
  const ids = new UniqueNames()
  const routes = findObjects(file, 'smppccm').flatMap((connector) =>
    readConnector(connector, uses, ids, notes),
  )
  // The routes of one connector share its password.
  const secrets = [...new Map(routes.map((route) => [route.options.password as string, route])).values()]
  return {
    accounts,
    routes,
    notes,
    secrets: secrets.map(({ options, source }) => ({
      name: (options.password as string).slice('env:'.length),
      source: `password, ${source}`,
    })),
  }
}

function findObjects(file: JasminFile, kind: JasminObject['kind']): JasminObject[] {
  return file.objects.filter((object) => object.kind === kind)
}

function readUser({ values }: JasminObject, clientId: string): ImportedAccount {
  const notes: string[] = []
  const limit = readNumber(values.get('mt_messaging_cred quota http_throughput'), 'http_throughput', notes)
  const rest = [...values.keys()].filter(
    (name) => name.includes('_cred') && !name.endsWith('http_throughput'),
  )
  if (rest.length > 0) notes.push(`Not imported: ${rest.join(', ')} (for caps see docs/operations/abuse.md)`)
  const name = values.get('username') ?? clientId
  return {
    clientId,
    name,
    notes,
    ...(limit === undefined ? {} : { sendLimit: Math.max(1, Math.floor(limit)) }),
  }
}

/** Creates one route for each use of the connector by the MT router, each with its own links. */
function readConnector(
  connector: JasminObject,
  uses: readonly ConnectorUse[],
  ids: UniqueNames,
  connectorNotes: string[],
): ImportedRoute[] {
  const cid = connector.values.get('cid') ?? 'connector'
  if (connector.values.get('bind') === 'receiver') {
    connectorNotes.push(`line ${connector.line}: ${cid} only receives and has no counterpart`)
    return []
  }
  const connectorUses = uses.filter((use) => use.connectors.includes(cid))
  const notes: string[] = []
  const firstId = ids.next(cid)
  const options = readOptions(connector.values, passwordVariable(firstId), notes)
  const rate = readNumber(connector.values.get('submit_throughput') ?? '1', 'submit_throughput', notes) ?? 1
  const base = { options, partsPerSecond: rate === 0 ? 0 : Math.max(1, Math.floor(rate)) }
  const source = `line ${connector.line}`
  if (connectorUses.length === 0)
    return [
      {
        ...base,
        id: firstId,
        source,
        priority: 100,
        accounts: [],
        prefixes: [],
        disabled: true,
        notes: [...notes, 'No route of the MT router uses the connector, so the route is disabled'],
      },
    ]
  return connectorUses.map((use, index) => ({
    ...base,
    source,
    accounts: use.accounts,
    prefixes: use.prefixes,
    disabled: !use.allFiltersConverted,
    id: index === 0 ? firstId : ids.next(cid),
    priority: use.priority + (use.failover ? use.connectors.indexOf(cid) : 0),
    notes: [
      ...(index === 0
        ? notes
        : [`Opens its own sessions in addition to ${firstId}: ask the carrier, or merge the rules`]),
      ...use.notes,
    ],
  }))
}

function readOptions(
  given: ReadonlyMap<string, string>,
  variable: string,
  notes: string[],
): Record<string, unknown> {
  const values = withoutReferences(given, notes)
  const number = (name: string): number | undefined => readNumber(values.get(name), name, notes)
  const milliseconds = (name: string): number | undefined => {
    const seconds = number(name)
    return seconds === undefined || seconds === 0 ? undefined : Math.round(seconds * 1000)
  }
  if (values.get('bind') === 'transmitter')
    notes.push(
      'The connector is a transmitter without delivery reports: the route also binds a receiver (bind: pair)',
    )
  const rest = [...values.keys()].filter((name) => !unneeded.has(name) && values.get(name) !== '')
  const notImported = rest.filter((name) => !(name === 'coding' && values.get(name) === '0'))
  if (notImported.length > 0) notes.push(`Not imported: ${notImported.join(', ')}`)
  const delay = milliseconds('con_fail_delay')
  return omitUndefined({
    host: values.get('host') ?? '127.0.0.1',
    port: number('port'),
    tls: values.get('ssl') === 'yes' ? {} : undefined,
    systemId: values.get('username') ?? 'smppclient',
    password: `env:${variable}`,
    systemType: values.get('systype') || undefined,
    addressRange: values.get('addr_range') || undefined,
    bind: values.get('bind') === 'transmitter' ? 'pair' : undefined,
    source: address(number('src_ton'), number('src_npi')),
    // The default, 1, matches international recipients; the option is for recipients in domestic form.
    destination: number('dst_ton') === 1 ? undefined : address(number('dst_ton'), number('dst_npi')),
    enquireIntervalMs: milliseconds('elink_interval'),
    bindTimeoutMs: milliseconds('bind_to'),
    responseTimeoutMs: milliseconds('res_to'),
    reconnectMinMs: delay,
    reconnectMaxMs: delay,
  })
}

function address(ton: number | undefined, npi: number | undefined): object | undefined {
  return ton === undefined && npi === undefined ? undefined : omitUndefined({ ton, npi })
}
