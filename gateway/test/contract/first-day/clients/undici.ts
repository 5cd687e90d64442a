/** Sends the requests of `axios.ts` with undici and prints the same lines. Requests without a name are not printed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FormData, Pool, type Dispatcher } from 'undici'

const { BASE_URL = '', CLIENT_ID = '', PASSWORD = '', BODIES = '' } = process.env
const pool = new Pool(BASE_URL)

interface Envelope {
  readonly data: Readonly<Record<string, string>> & {
    readonly report?: readonly { readonly msgKey: string }[]
  }
}

async function send(request: string | null, options: Dispatcher.RequestOptions): Promise<Envelope> {
  const response = await pool.request(options)
  const body = (await response.body.json()) as Envelope
  if (request !== null) process.stdout.write(`${request}\t${response.statusCode}\t${JSON.stringify(body)}\n`)
  return body
}

const credentials = { 'x-svc-client-id': CLIENT_ID, 'x-svc-client-passwd': PASSWORD }
const issue = { method: 'POST', path: '/v1/auth/token', headers: credentials } as const
await send('token, empty body', { ...issue, body: '' })
await send('token, JSON body', { ...issue, body: JSON.stringify({}) })
const { schema, token } = (await send('token', issue)).data
const authorization = { authorization: `${schema} ${token}` }
const headers = { ...authorization, 'content-type': 'application/json' }

const uploads = { MMS: 'fileKey', RCS: 'media', 'FRIENDTALK/FI': 'imgUrl' }
const keys = new Map<string, string>()
for (const [service, field] of Object.entries(uploads)) {
  const body = new FormData()
  body.append('file', new Blob([readFileSync(join(BODIES, 'image.jpg'))]), 'image.jpg')
  const upload = { method: 'POST', path: `/v1/file/${service}`, headers: authorization, body } as const
  const { data } = await send(`upload ${service}`, upload)
  keys.set(`{{${service}}}`, data[field] ?? '')
  keys.set(`{{${service} fileKey}}`, data['fileKey'] ?? '')
}

for (const file of readdirSync(BODIES).filter((name) => name.endsWith('.json'))) {
  let body = readFileSync(join(BODIES, file), 'utf8')
  for (const [placeholder, key] of keys) body = body.replace(placeholder, key)
  await send(file.replace('.json', ''), {
    method: 'POST',
    path: `/v1/send/${file.split('.')[0]}`,
    headers,
    body,
  })
}
const body = readFileSync(join(BODIES, 'sms.json'), 'utf8')
await send('sms without Content-Type', { method: 'POST', path: '/v1/send/sms', headers: authorization, body })

const polling = { method: 'GET', path: '/v1/report/polling', headers } as const
let polled = await send(null, polling)
for (let tries = 0; polled.data.reportId === '' && tries < 50; tries++) {
  await pause(200)
  polled = await send(null, polling)
}
// Polling returns the same batch until it is acknowledged.
const { reportId, report = [] } = (await send('polling', polling)).data
await send('acknowledgement', { method: 'DELETE', path: `/v1/report/polling/${reportId}`, headers })
await send('inquiry', { method: 'GET', path: `/v1/report/inquiry/${report[0]?.msgKey}`, headers })
await pool.close()
