/** Sends the requests of `axios.ts` with fetch and prints the same lines. Requests without a name are not printed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const { BASE_URL = '', CLIENT_ID = '', PASSWORD = '', BODIES = '' } = process.env

interface Envelope {
  readonly data: Readonly<Record<string, string>> & {
    readonly report?: readonly { readonly msgKey: string }[]
  }
}

async function send(request: string | null, path: string, options: RequestInit = {}): Promise<Envelope> {
  const response = await fetch(BASE_URL + path, options)
  const body = (await response.json()) as Envelope
  if (request !== null) process.stdout.write(`${request}\t${response.status}\t${JSON.stringify(body)}\n`)
  return body
}

const credentials = { 'X-SVC-Client-Id': CLIENT_ID, 'X-SVC-Client-Passwd': PASSWORD }
const issue = { method: 'POST', headers: credentials }
await send('token, empty body', '/v1/auth/token', { ...issue, body: '' })
await send('token, JSON body', '/v1/auth/token', { ...issue, body: JSON.stringify({}) })
const { schema, token } = (await send('token', '/v1/auth/token', issue)).data
const authorization = { Authorization: `${schema} ${token}` }
const headers = { ...authorization, 'Content-Type': 'application/json', Accept: 'application/json' }

const uploads = { MMS: 'fileKey', RCS: 'media', 'FRIENDTALK/FI': 'imgUrl' }
const keys = new Map<string, string>()
for (const [service, field] of Object.entries(uploads)) {
  const body = new FormData()
  body.append('file', new Blob([readFileSync(join(BODIES, 'image.jpg'))]), 'image.jpg')
  const path = `/v1/file/${service}`
  const { data } = await send(`upload ${service}`, path, { method: 'POST', headers: authorization, body })
  keys.set(`{{${service}}}`, data[field] ?? '')
  keys.set(`{{${service} fileKey}}`, data['fileKey'] ?? '')
}

for (const file of readdirSync(BODIES).filter((name) => name.endsWith('.json'))) {
  let body = readFileSync(join(BODIES, file), 'utf8')
  for (const [placeholder, key] of keys) body = body.replace(placeholder, key)
  await send(file.replace('.json', ''), `/v1/send/${file.split('.')[0]}`, { method: 'POST', headers, body })
}
const body = readFileSync(join(BODIES, 'sms.json'), 'utf8')
// `fetch` sends a string as text/plain.
await send('sms without Content-Type', '/v1/send/sms', { method: 'POST', headers: authorization, body })

let polled = await send(null, '/v1/report/polling', { headers })
for (let tries = 0; polled.data.reportId === '' && tries < 50; tries++) {
  await pause(200)
  polled = await send(null, '/v1/report/polling', { headers })
}
// Polling returns the same batch until it is acknowledged.
const { reportId, report = [] } = (await send('polling', '/v1/report/polling', { headers })).data
await send('acknowledgement', `/v1/report/polling/${reportId}`, { method: 'DELETE', headers })
await send('inquiry', `/v1/report/inquiry/${report[0]?.msgKey}`, { headers })
