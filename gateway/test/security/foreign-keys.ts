/**
 * Attack: an account uses identifiers of another account: message keys, report batches, forms, files,
 * webhooks and an API key. Every response must equal that for an invented identifier, so that none reveals
 * what exists, and the victim must lose nothing.
 */
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { makeJpeg } from '../support/files/images.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'

interface Answer extends Envelope {
  readonly msgKey?: string
  readonly data?: Readonly<Record<string, unknown>>
}

const sms = { from: '0234567890', to: '01012345678', text: 'x' }
const flow = [{ sms: { from: '0234567890', text: 'x' } }]

await runTargetAttack({}, async ({ installation, url, attacker, wrong, report }) => {
  const { environment } = installation
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const worker = await installation.startGateway('worker', 'worker')
  const credentials = await createAccount(environment, 'victim')
  const victim = new AccountClient(url, credentials)
  const token = (await victim.login()).body.data!.token
  await worker.untilReady()
  const call = async (client: AccountClient, method: string, path: string, body?: object): Promise<Answer> =>
    (await client.call<Answer>(method, path, body === undefined ? undefined : JSON.stringify(body))).body
  const idOf = ({ code, result, data }: Answer, field: string): string => {
    if (typeof data?.[field] === 'string') return data[field]
    throw new Error(`the victim got no ${field}: ${code} ${result}`)
  }

  const msgKey = (await call(victim, 'POST', '/v1/send/sms', sms)).msgKey!
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = (await call(victim, 'POST', `/v1/send/sms?sendAt=${later}`, sms)).msgKey!
  const formId = idOf(await call(victim, 'POST', '/v1/form', { messageForm: flow }), 'formId')
  const webhookId = idOf(
    await call(victim, 'POST', '/v1/webhook', { url: 'https://example.com/hook' }),
    'webhookId',
  )
  const file = new FormData()
  file.append('file', new Blob([makeJpeg(600, 500)], { type: 'image/jpeg' }), 'a.jpg')
  const headers = { authorization: `Bearer ${token}` }
  const upload = await fetch(`${url}/v1/file/MMS`, { method: 'POST', headers, body: file })
  const fileKey = idOf((await upload.json()) as Answer, 'fileKey')
  const { key } = JSON.parse(
    await postern(environment, 'account', 'key', 'add', credentials.clientId, '--name', 'test', '--json'),
  ) as { key: string }
  const reportId = await waitFor('a report of the victim', async () => {
    const { body } = await victim.poll()
    return body.data !== undefined && body.data.report.length > 0 ? body.data.reportId : undefined
  })

  const omni = { destinations: [{ to: '01012345678' }] }
  const webhook = (tail = ''): string => `/v1/webhook/{}${tail}`
  const tries: readonly (readonly [string, string, string, string, object?])[] = [
    ['msgKey', msgKey, 'GET', '/v1/report/inquiry/{}'],
    ['msgKey', msgKey, 'GET', '/v1/message/{}'],
    ['msgKey', scheduled, 'DELETE', '/v1/send/{}'],
    ['reportId', reportId, 'DELETE', '/v1/report/polling/{}'],
    ['formId', formId, 'GET', '/v1/form/{}'],
    ['formId', formId, 'PUT', '/v1/form/{}', { messageForm: flow }],
    ['formId', formId, 'DELETE', '/v1/form/{}'],
    ['formId', formId, 'POST', '/v1/send/omni', { ...omni, messageForm: '{}' }],
    ['fileKey', fileKey, 'DELETE', '/v1/file/{}'],
    ['fileKey', fileKey, 'POST', '/v1/send/mms', { ...sms, title: 't', fileKey: ['{}'] }],
    ['webhookId', webhookId, 'GET', webhook()],
    ['webhookId', webhookId, 'PUT', webhook(), { url: 'https://example.org/mine' }],
    ['webhookId', webhookId, 'POST', webhook('/test')],
    ['webhookId', webhookId, 'POST', webhook('/rotate')],
    ['webhookId', webhookId, 'POST', webhook('/replay'), { allSince: '2026-01-01T00:00:00Z' }],
    ['webhookId', webhookId, 'GET', webhook('/deliveries')],
    ['webhookId', webhookId, 'DELETE', webhook()],
  ]
  for (const [kind, id, method, path, body] of tries) {
    const answerTo = async (one: string): Promise<string> => {
      const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('{}', one)
      const response = await attacker.call<Answer>(method, path.replace('{}', one), text)
      return `${response.httpStatus} ${JSON.stringify(response.body)}`.replaceAll(one, '<id>')
    }
    // An identifier of the same form that does not exist.
    const invented = id.slice(0, -2) + (id.endsWith('ZZ') ? 'YY' : 'ZZ')
    const [foreign, unknown] = [await answerTo(id), await answerTo(invented)]
    if (foreign !== unknown)
      wrong(
        `${method} ${path} distinguishes a foreign ${kind} (${foreign}) from an invented one (${unknown})`,
      )
    // An inquiry succeeds for every key and returns no reports of unknown ones.
    if (foreign.includes('"A000"') && !path.includes('inquiry'))
      wrong(`${method} ${path} succeeded with a foreign ${kind}: ${foreign}`)
    if (foreign.includes('01012345678')) wrong(`${method} ${path} shows a recipient of another account`)
  }
  const login = await attacker.call<Answer>('POST', '/v1/auth/token', undefined, '', {
    'x-svc-client-id': (await createAccount(environment, 'third')).clientId,
    'x-svc-client-passwd': key,
  })
  if (login.httpStatus !== 401) wrong(`a key of another account logs in: ${login.httpStatus}`)

  const batch = await victim.poll()
  if (batch.body.data?.reportId !== reportId)
    wrong('the batch of the victim was acknowledged by another account')
  const after: readonly (readonly [string, string])[] = [
    ['GET', `/v1/form/${formId}`],
    ['GET', `/v1/webhook/${webhookId}`],
    ['DELETE', `/v1/send/${scheduled}`],
    ['DELETE', `/v1/file/${fileKey}`],
    ['DELETE', `/v1/report/polling/${reportId}`],
  ]
  for (const [method, path] of after) {
    const { code, data } = await call(victim, method, path)
    if (code !== 'A000') wrong(`the victim gets ${code} from ${method} ${path}`)
    if (typeof data?.url === 'string' && data.url !== 'https://example.com/hook')
      wrong('the webhook URL of the victim has changed')
  }
  report(`${tries.length + 1} requests with identifiers of another account`)
})
