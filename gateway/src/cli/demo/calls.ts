/**
 * `postern demo`: leads from an installation without traffic to a first request, with operations that other
 * commands call separately.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { OperationError } from '../../operations/errors.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { loadSettings } from '../../platform/settings/config.ts'
import type { AdminClient } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'

export interface DemoOptions {
  readonly clientId: string
}

/** The processes read changed accounts and routes once per second. Until then the first request could be refused. */
const untilReadMs = 1_500

type Part = 'account' | 'route' | 'key'

export async function createDemo(admin: AdminClient, { clientId }: DemoOptions): Promise<Result> {
  const routeId = `sandbox-${clientId}`
  const missing = await findMissing(admin, clientId, routeId)
  if (missing.length > 0) {
    await requireRights(admin)
    await requireNoCarrier(admin, missing)
  }
  const reason = admin.reason.reason ?? 'postern demo'
  const params = { clientId }
  if (missing.includes('account')) {
    await admin.call('createAccount', { body: { name: `Sandbox ${clientId}`, clientId, reason } })
    await admin.call('setAccountTrust', { params, body: { sandbox: true, reason } })
  }
  if (missing.includes('route'))
    await admin.call('putRoute', { params: { routeId }, body: { ...sandboxRoute(clientId), reason } })
  const key = missing.includes('key')
    ? (await admin.call('addCredential', { params, body: { name: 'demo', reason } })).key
    : null
  if (missing.length > 0) await pause(untilReadMs)
  return demoResult({ clientId, route: routeId, created: missing, key, ...findAddresses(admin) })
}

/** Checked before anything is created, so that nothing is left incomplete. */
async function requireRights(admin: AdminClient): Promise<void> {
  const { name, rights } = await admin.call('showMe', {})
  const lacking = (['credentials', 'trust', 'routes'] as const).filter((right) => !rights.includes(right))
  if (lacking.length > 0)
    throw new FailedError(`${name} lacks the rights ${lacking.join(', ')}; ask an admin to run the demo`)
}

/** Returns the parts that do not exist yet. Fails if the client id belongs to an account that is not in the sandbox. */
async function findMissing(admin: AdminClient, clientId: string, routeId: string): Promise<readonly Part[]> {
  const trust = await orNull(admin.call('showAccountTrust', { params: { clientId } }))
  if (trust?.sandbox === false)
    throw new FailedError(
      `account '${clientId}' exists but is not a sandbox account: choose another one with --client-id, or convert it with \`postern trust account set ${clientId} --sandbox --reason …\``,
    )
  const route = await orNull(admin.call('showRoute', { params: { routeId } }))
  const { credentials } =
    trust === null ? { credentials: [] } : await admin.call('listCredentials', { params: { clientId } })
  const hasKey = credentials.some(({ kind, active }) => kind === 'key' && active)
  return [
    ...(trust === null ? (['account'] as const) : []),
    ...(route === null ? (['route'] as const) : []),
    ...(hasKey ? [] : (['key'] as const)),
  ]
}

async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof OperationError && error.code === 'not-found') return null
    throw error
  }
}

async function requireNoCarrier(admin: AdminClient, missing: readonly Part[]): Promise<void> {
  const routes = await admin.readAll((page) => admin.call('listRoutes', { query: page }))
  const real = routes.find(({ protocol }) => protocol !== 'sandbox')
  if (real === undefined) return
  throw new FailedError(
    `route ${real.id} leads to a carrier over ${real.protocol}, but the demo requires an installation without carriers; nothing was created (missing: ${missing.join(', ')}). ` +
      'Run it in an evaluation installation; in this one, `postern account create`, `postern trust account set --sandbox` and `postern route put --protocol sandbox --accounts …` make a sandbox account',
  )
}

/** The route serves only the demo account, so no message of another account ends in the sandbox. */
function sandboxRoute(clientId: string) {
  return {
    protocol: 'sandbox',
    channels: Object.keys(channels) as ChannelName[],
    options: {},
    accounts: [clientId],
    priority: 10,
    enabled: true,
    partsPerSecond: 0,
    owners: 1,
    prefixes: [],
    carriers: [],
    weight: 1,
    minDeliveryRate: null,
    failoverAfterSeconds: 3,
    unknownPolicy: 'fail' as const,
  }
}

interface Addresses {
  /** `null` over a remote admin API, which does not know the address at which clients reach the gateway. */
  readonly api: string | null
  readonly console: string | null
}

/** Without a remote admin API, the gateway is assumed to run on this host with the same settings. */
function findAddresses({ url }: AdminClient): Addresses {
  if (url !== null) return { api: null, console: url }
  const { httpPort, adminPort } = loadSettings(['httpPort', 'adminPort'])
  return {
    api: `http://127.0.0.1:${httpPort}`,
    console: adminPort === undefined ? null : `http://127.0.0.1:${adminPort}`,
  }
}

interface Demo extends Addresses {
  readonly clientId: string
  readonly route: string
  readonly created: readonly Part[]
  readonly key: string | null
}

function demoResult(demo: Demo): Result {
  const { clientId, route, key, api } = demo
  const anotherKey = `postern account key add ${clientId} --name another`
  return {
    json: demo,
    lines: [
      `Account ${clientId} is a sandbox account: its messages take the route ${route} and do not leave the gateway.`,
      key === null
        ? `It already has a key, which was shown when it was created. To create another one, run: ${anotherKey}`
        : `Its key is only shown once. To create another one, run: ${anotherKey}`,
      '',
      'The first request and its report:',
      '',
      `  export POSTERN=${api ?? '<address of the API>'} TOKEN=${key ?? '<key>'}`,
      `  curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
      `    -d '{"from":"0212345678","to":"01000000001","text":"Hello from Postern","ref":"first"}'`,
      `  curl -s $POSTERN/v1/report/polling -H "Authorization: Bearer $TOKEN"`,
      '',
      'The last four digits of the recipient choose the outcome: 0001 is delivered, 0002 fails (docs/reference/connectors/sandbox.md).',
      demo.console === null
        ? 'The console is disabled: it requires `postern admin` with POSTERN_ADMIN_PORT (docs/operations/console.md).'
        : `The console is at ${demo.console}/, for operators (\`postern operator add\`).`,
    ],
  }
}
