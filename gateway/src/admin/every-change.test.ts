/**
 * For every operation of the OpenAPI document: each change and each access to personal data adds an audit row
 * with actor, role, key, target and reason, without secrets and whole numbers. New operations must be added
 * to the list, so that one that records nothing fails here and not with the first request of an operator.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin, type AdminResponse } from '../../test/support/http/admin.ts'
import { Browser, currentCode, enrol, resetUsedCodes } from '../../test/support/http/browser.ts'
import { insertBatch } from '../../test/support/batches.ts'
import { acceptedJob, attempt, inAnHour, recordJobs, recordOne } from '../../test/support/fixtures.ts'
import { findAccountId } from '../identity/accounts/queries.ts'
import { readAuditAfter, readTail } from '../identity/audit/queries.ts'
import { verifyAudit } from '../identity/audit/verify.ts'
import type { ActorRole } from '../identity/audit/context.ts'
import { recordAttempts } from '../records/attempts/attempts.ts'
import { saveParked } from '../records/parked/queries.ts'
import { neverSql } from '../records/waiting/waiting-step.ts'
import { holdSteps } from '../records/waiting/write-waiting.ts'
import type { AdminDocument } from './document.ts'

const admin = await createTestAdmin()
const { database } = admin
const recipient = '01012345678'
const reason = 'a case of the test'

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Absent for operations that need no sign-in. */
  readonly 'x-access'?: 'read' | 'look' | 'change'
  readonly 'x-audit-action': string
}
const document = (await admin.server.inject('/admin/v1/openapi.json')).json<AdminDocument>()
const operations = new Map<string, Operation>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const operation = described as Omit<Operation, 'method' | 'path'>
      return [operation.operationId, { ...operation, method: method.toUpperCase(), path }] as const
    }),
  ),
)

/** `data` of a response. */
type Data = Readonly<Record<string, unknown>>
/** Actor of a row; a session ID takes the place of the key. */
type Signed = readonly [actor: string, role: ActorRole, keyId: string | RegExp]

interface Request {
  /** Path parameters. */
  readonly ids?: Readonly<Record<string, string>>
  /** Fields of the body, or of the query of a request without one; the reason is added. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Expected target of the row. */
  readonly target: string | ((data: Data) => string)
  readonly account?: string
  /** Expected account of each row, for an operation that records several. */
  readonly accounts?: readonly (string | null)[]
  /** Replaces the default request, which the admin sends with a key. */
  readonly by?: { readonly signed: Signed; readonly call: () => Promise<AdminResponse> }
}

interface Case {
  readonly id: string
  readonly prepare: () => Request | Promise<Request>
  /** Stores values for later cases. */
  readonly keep?: (data: Data) => void
}

const storedValues: Record<string, string> = {}
/** Stores fields of the response under other names. */
const keeping =
  (names: Readonly<Record<string, string>>) =>
  (data: Data): void => {
    for (const [name, field] of Object.entries(names)) storedValues[name] = String(data[field])
  }
const ofShop = { ids: { clientId: 'shop' }, account: 'shop', target: 'shop' } as const
const on = (id: string, request: Request | Case['prepare'], keep?: Case['keep']): Case => ({
  id,
  prepare: typeof request === 'function' ? request : () => request,
  ...(keep && { keep }),
})
const reveal = { reveal: 'true' }
const route = {
  channels: ['sms'],
  protocol: 'sandbox',
  options: {},
  enabled: true,
  priority: 10,
  partsPerSecond: 0,
  owners: 1,
  accounts: [],
  prefixes: [],
  carriers: [],
  weight: 1,
  minDeliveryRate: null,
  failoverAfterSeconds: 0,
  unknownPolicy: 'fail',
}
const proof = { kind: 'operator', reference: 'T-1' }
const ofRoute = { ids: { routeId: 'r' }, target: 'r' } as const

/** In this order: later cases use objects of earlier ones. */
const cases: readonly Case[] = [
  on('createAccount', { ...ofShop, fields: { name: 'Shop', clientId: 'shop' } }),
  on('setAccount', { ...ofShop, fields: { weight: 2 } }),
  on(
    'addCredential',
    { ...ofShop, fields: { name: 'main' }, target: ({ keyId }) => String(keyId) },
    keeping({ key: 'keyId' }),
  ),
  on(
    'rotateCredential',
    () => ({ ...ofShop, ids: { clientId: 'shop', keyId: storedValues.key! }, target: storedValues.key! }),
    keeping({ nextKey: 'keyId' }),
  ),
  on('revokeCredential', () => ({
    ...ofShop,
    ids: { clientId: 'shop', keyId: storedValues.nextKey! },
    target: storedValues.nextKey!,
  })),
  on('changePassword', { ...ofShop, target: ({ keyId }) => String(keyId) }),
  on('revokeTokens', ofShop),
  on('blockAccount', ofShop),
  on('unblockAccount', ofShop),
  on('setAccountTrust', { ...ofShop, fields: { kind: 'reseller' } }),
  on('setAccountAdvertising', { ...ofShop, fields: { names: ['Shop'] } }),
  on('setProtection', { ...ofShop, fields: { safeNumbers: [recipient] } }),
  on('showProtection', { ...ofShop, fields: reveal, target: 'numbers that are exempt' }),
  on('setAccountCap', { ...ofShop, fields: { class: 'all', day: 10 } }),
  on('setQuietHours', {
    fields: { account: 'shop', night: 'hold' },
    account: 'shop',
    target: 'quiet hours of *',
  }),
  on('removeQuietHours', { fields: { account: 'shop' }, account: 'shop', target: 'quiet hours of *' }),
  on('eraseRecipient', { ...ofShop, fields: { recipient }, target: '*******5678' }),

  on(
    'addSender',
    { ...ofShop, fields: { kind: 'number', value: '0212345678', proof }, target: 'number 0212345678' },
    keeping({ sender: 'id' }),
  ),
  ...['approveSender', 'rejectSender', 'blockSender'].map((id) =>
    on(id, async () => {
      // Operators cannot approve their own senders.
      await database.query(`update sender_changes set by = 'another' where true`)
      return { ...ofShop, fields: { id: storedValues.sender! }, target: 'number 0212345678' }
    }),
  ),
  on('showSender', () => ({
    ...ofShop,
    ids: { clientId: 'shop', senderId: storedValues.sender! },
    fields: reveal,
    target: `proof of sender number ${storedValues.sender!}`,
  })),
  on('findSender', () => ({
    ...ofShop,
    ids: {},
    fields: { reveal: true, account: 'shop', value: '0212345678' },
    target: `proof of sender number ${storedValues.sender!}`,
  })),
  on('importSenders', {
    fields: { senders: [{ line: 1, account: 'shop', kind: 'number', value: '0212345679' }] },
    target: 'senders',
    accounts: ['shop', null],
  }),

  on(
    'addWebhook',
    {
      ...ofShop,
      fields: { url: 'https://shop.invalid/token-4711' },
      target: ({ webhook }) => (webhook as { id: string }).id,
    },
    ({ webhook }) => void (storedValues.webhook = (webhook as { id: string }).id),
  ),
  on('showWebhook', () => ({
    ...ofWebhook(),
    fields: reveal,
    target: `URL of webhook ${storedValues.webhook!}`,
  })),
  on('setWebhook', () => ({ ...ofWebhook(), fields: { perSecond: 5 } })),
  on('rotateWebhookSecret', () => ofWebhook()),
  on('testWebhook', () => ofWebhook()),
  on('replayWebhook', () => ({ ...ofWebhook(), fields: { allSince: new Date().toISOString() } })),
  on('removeWebhook', () => ofWebhook()),

  ...['pauseBatch', 'resumeBatch', 'cancelBatch'].map((id) =>
    on(id, async () => {
      const accountId = (await findAccountId(database, 'shop'))!
      const { batchKey } = await insertBatch(database, accountId, {
        state: id === 'resumeBatch' ? 'paused' : 'running',
      })
      return { ...ofShop, ids: { batchId: batchKey }, target: batchKey }
    }),
  ),

  on('putRoute', { ...ofRoute, fields: route }),
  ...['pauseRoute', 'drainRoute', 'disableRoute', 'enableRoute'].map((id) => on(id, ofRoute)),
  on('setRouteRate', { ...ofRoute, fields: { partsPerSecond: 5 } }),
  on('setSandboxBehaviour', { ...ofRoute, fields: { behaviour: 'failed' } }),
  on('sendSandboxReply', async () => {
    const msgKey = await sendInSandbox()
    return { ids: { msgKey }, fields: { text: 'yes' }, target: msgKey, account: 'shop' }
  }),
  on('deleteRoute', ofRoute),
  on('putTemplate', { ids: { templateId: 'UBR.x' }, fields: { kind: 'Cell' }, target: 'UBR.x' }),
  on('deleteTemplate', { ids: { templateId: 'UBR.x' }, target: 'UBR.x' }),
  on('putRanges', { fields: { lines: '0102,10001' }, target: 'number ranges' }),
  on('clearRanges', { target: 'number ranges' }),

  on('searchRecipient', { fields: { account: 'shop', recipient }, account: 'shop', target: '*******5678' }),
  on('searchTraffic', { fields: { account: 'shop', recipient }, account: 'shop', target: '*******5678' }),
  on('showMessage', async () => {
    const { msgKey } = await recordOne(database, { accountId: await shopId() })
    return { ids: { msgKey }, fields: reveal, target: msgKey, account: 'shop' }
  }),
  on('cancelMessage', async () => {
    const msgKey = await schedule()
    return { ids: { msgKey }, target: msgKey, account: 'shop' }
  }),
  on('sendTestMessage', async () => {
    await shopId()
    const fields = { channel: 'sms', from: '15880000', to: '01012345678', text: 'Hello' }
    return { ids: { clientId: 'shop' }, fields, target: 'shop', account: 'shop' }
  }),
  on('showParked', async () => ofParked(await park())),
  on('retryParked', async () => ({ fields: { ids: [Number(await park())] }, target: '1 parked jobs' })),
  on('dropParked', async () => ({ ...ofParked(await park()), fields: {} })),
  on('dropParkedGroup', async () => {
    const lastId = Number(await park())
    return { fields: { stage: 'intake', afterId: lastId - 1, lastId }, target: '1 parked jobs' }
  }),
  ...['releaseHeld', 'refuseHeld'].map((id) =>
    on(id, async () => ({ fields: { msgKeys: [await hold()] }, target: '1 held messages' })),
  ),
  ...['enableRule', 'disableRule'].map((id) =>
    on(id, { ids: { rule: 'sender-number-shape' }, target: 'sender-number-shape' }),
  ),

  ...['addSuppression', 'removeSuppression'].map((id) =>
    on(id, { fields: { account: 'shop', recipients: [recipient] }, account: 'shop', target: 'recipients' }),
  ),
  on('importSuppression', {
    fields: { account: 'shop', recipients: [recipient], state: 'suppressed' },
    account: 'shop',
    target: 'recipients',
  }),
  on('showSuppression', { fields: { account: 'shop', recipient }, account: 'shop', target: 'recipient' }),
  on('acknowledgeLedger', { target: 'ledger' }),
  on('rotateTokenKey', { target: ({ id }) => `token key ${String(id)}` }),
  on('exportAudit', { target: 'audit log' }),
  on('exportAuditRows', { target: 'audit log' }),

  on('addOperator', { fields: { name: 'lee', role: 'viewer' }, target: 'lee' }),
  on('setOperator', { ids: { name: 'lee' }, fields: { role: 'support' }, target: 'lee' }),
  on('disableOperator', { ids: { name: 'lee' }, target: 'lee' }),
  on('enableOperator', { ids: { name: 'lee' }, target: 'lee' }),
  on(
    'addOperatorKey',
    { ids: { name: 'lee' }, fields: { replace: true }, target: 'lee' },
    keeping({ operatorKey: 'keyId' }),
  ),
  on('revokeOperatorKey', () => ({
    ids: { keyId: storedValues.operatorKey! },
    target: storedValues.operatorKey!,
  })),
  on('giveOperatorPassword', { ids: { name: 'lee' }, target: 'lee' }),
  on('setOwnPassword', { fields: { password: 'own password of a test' }, target: 'admin' }),
  on('startSession', async () => {
    const { name, password, secret } = await enrol(database, admin.server, 'lee')
    await resetUsedCodes(database)
    const call = () => new Browser(admin.server).signIn({ name, password, code: currentCode(secret) })
    return { target: 'lee', by: { signed: ['lee', 'support', /^session \S+$/], call } }
  }),
  on('revokeSession', async () => {
    const sessions = await admin.get<{ sessions: readonly { id: string }[] }>(
      'admin',
      '/admin/v1/sessions?operator=lee',
    )
    const { id } = sessions.sessions[0]!
    return { ids: { sessionId: id }, target: 'lee' }
  }),
  on('endSession', async () => {
    const { browser } = await enrol(database, admin.server, 'lee')
    const call = () => browser.call('DELETE', '/admin/v1/session')
    return { target: 'lee', by: { signed: ['lee', 'support', /^session \S+$/], call } }
  }),
  on('resetOperatorTotp', { ids: { name: 'lee' }, target: 'lee' }),
  on('rotateOwnKey', async () => {
    const key = await addTestOperator(database, 'kim', 'viewer')
    const keyId = await findKeyId(key)
    const call = () => admin.callWith(key, 'POST', '/admin/v1/me/key/rotate', { reason })
    return { target: 'kim', by: { signed: ['kim', 'viewer', keyId], call } }
  }),
]

/** Operations without a case: the first two change nothing, the last needs a provider (sign-in/oidc.test.ts). */
const withoutCase = ['showSignIn', 'startOidc', 'finishOidc']

function ofWebhook(): Request & { readonly target: string } {
  return { ids: { webhookId: storedValues.webhook! }, target: storedValues.webhook!, account: 'shop' }
}

function ofParked(id: string): Request {
  return { ids: { id }, fields: reveal, target: `parked job ${id}` }
}

async function shopId(): Promise<number> {
  return (await findAccountId(database, 'shop'))!
}

async function sendInSandbox(): Promise<string> {
  const key = await recordOne(database, { accountId: await shopId() })
  await recordAttempts(database, [attempt(key, { routeId: 'r', carrierId: 'sandbox-1', recipient })])
  return key.msgKey
}

async function schedule(): Promise<string> {
  const job = acceptedJob({ accountId: await shopId() })
  const [key] = await recordJobs(database, [job])
  const step = { ...key!, accountId: job.accountId, routeId: '', lane: 'normal', parts: 1, tries: 0 } as const
  await holdSteps(database, [{ ...step, releaseAt: inAnHour(), reason: 'scheduled' }])
  return job.msgKey
}

async function park(): Promise<string> {
  const job = acceptedJob({ accountId: await shopId() })
  const payload = Buffer.from(JSON.stringify(job))
  await saveParked(database, [{ stage: 'intake', msgKey: job.msgKey, reason: 'x', payload }])
  const found = await database.query<{ id: string }>('select max(id)::text as id from parked')
  return found.rows[0]!.id
}

async function hold(): Promise<string> {
  const { msgKey } = await recordOne(database, { accountId: await shopId() })
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason, rule, resume_at)
     values ($1, 1, 1, $2, '', 'normal', 1, ${neverSql}, 'rule', 'link-allowed', now())
     on conflict (msg_key) do update set release_at = ${neverSql}, route_id = '', reason = 'rule', rule = 'link-allowed', resume_at = now()`,
    [msgKey, await shopId()],
  )
  return msgKey
}

async function findKeyId(key: string): Promise<string> {
  const { body } = await admin.callWith(key, 'GET', '/admin/v1/me')
  return (body.data as unknown as { keyId: string }).keyId
}

async function callAsAdmin(
  { method, path }: Operation,
  { ids = {}, fields }: Request,
): Promise<AdminResponse> {
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(ids[name]!))
  const input = { ...fields, reason }
  if (method !== 'GET' && method !== 'DELETE') return admin.call('admin', method as 'POST', url, input)
  const query = new URLSearchParams(input as Record<string, string>)
  return admin.call('admin', method, `${url}?${query.toString()}`)
}

/** Returns the secret values of a response, which must not be in a row. */
function secretsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) =>
    ['key', 'password', 'secret'].includes(name) && typeof value === 'string' ? [value] : secretsIn(value),
  )
}

test('the list has every operation that changes something or shows personal data', () => {
  const listed = new Set([...cases.map(({ id }) => id), ...withoutCase])
  const recorded = [...operations.values()].filter((operation) => operation['x-access'] !== 'read')
  assert.deepEqual(
    recorded.map(({ operationId }) => operationId).filter((id) => !listed.has(id)),
    [],
  )
  assert.deepEqual(
    [...listed].filter((id) => !operations.has(id)),
    [],
  )
})

for (const { id, prepare, keep } of cases) {
  test(`${id} adds an audit row`, async () => {
    const operation = operations.get(id)!
    const request = await prepare()
    const { signed, call } = request.by ?? {
      signed: ['admin', 'admin', await findKeyId(admin.keys.admin)] as const,
      call: () => callAsAdmin(operation, request),
    }
    const before = await readTail(database)
    const { status, body, headers } = await call()
    assert.equal(status, 200, JSON.stringify(body))
    const data = ((body.data as unknown) ?? {}) as Data
    const rows = await readAuditAfter(database, before.seq, 10)
    const results = rows.map(({ result }) => result)
    if (operation['x-access'] === 'look') assert.deepEqual(results, ['looked'])
    else assert.ok(/^(?:begun,)?(?:done,)?done$/.test(results.join()), `rows: ${results.join()}`)
    const accounts = request.accounts ?? rows.map(() => request.account ?? null)
    assert.deepEqual(
      rows.map(({ account }) => account),
      accounts,
    )
    const target = typeof request.target === 'function' ? request.target(data) : request.target
    for (const row of rows) {
      const [actor, role, keyId] = signed
      assert.deepEqual([row.actor, row.role], [actor, role])
      if (typeof keyId === 'string') assert.equal(row.keyId, keyId)
      else assert.match(row.keyId!, keyId)
      assert.deepEqual([row.action, row.target], [operation['x-audit-action'], target])
      if (request.by === undefined) assert.equal(row.reason, reason)
      if (headers['request-id'] !== undefined) assert.equal(row.requestId, headers['request-id'])
      assert.equal(row.source, '127.0.0.1')
      const text = JSON.stringify(row)
      for (const secret of [recipient, 'token-4711', ...secretsIn(data)])
        assert.ok(!text.includes(secret), 'a secret or a whole number')
    }
    keep?.(data)
  })
}

test('the audit log of all operations is complete', async () => {
  assert.equal((await verifyAudit(database, [])).broken, null)
})
