/**
 * Sends the requests of a first day with axios, and prints the name, status and body of each response for `../run.ts`.
 * BODIES is the folder of the request bodies and of an image.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import axios, { type AxiosResponse } from 'axios'

const { BASE_URL = '', CLIENT_ID, PASSWORD, BODIES = '' } = process.env
const api = axios.create({ baseURL: BASE_URL, validateStatus: () => true })

interface Envelope {
  readonly data: Readonly<Record<string, string>> & {
    readonly report?: readonly { readonly msgKey: string }[]
  }
}

function show(request: string, { status, data }: AxiosResponse<Envelope>): Envelope {
  process.stdout.write(`${request}\t${status}\t${JSON.stringify(data)}\n`)
  return data
}

const credentials = { 'X-SVC-Client-Id': CLIENT_ID, 'X-SVC-Client-Passwd': PASSWORD }
show('token, empty body', await api.post('/v1/auth/token', '', { headers: credentials }))
show('token, JSON body', await api.post('/v1/auth/token', {}, { headers: credentials }))
const { schema, token } = show('token', await api.post('/v1/auth/token', null, { headers: credentials })).data
const headers = { Authorization: `${schema} ${token}` }

const uploads = { MMS: 'fileKey', RCS: 'media', 'FRIENDTALK/FI': 'imgUrl' }
const uploaded = new Map<string, string>()
for (const [service, field] of Object.entries(uploads)) {
  const form = new FormData()
  form.append('file', new Blob([readFileSync(join(BODIES, 'image.jpg'))]), 'image.jpg')
  const { data } = show(`upload ${service}`, await api.post(`/v1/file/${service}`, form, { headers }))
  uploaded.set(`{{${service}}}`, data[field] ?? '')
  uploaded.set(`{{${service} fileKey}}`, data['fileKey'] ?? '')
}

for (const file of readdirSync(BODIES).filter((name) => name.endsWith('.json'))) {
  let json = readFileSync(join(BODIES, file), 'utf8')
  for (const [placeholder, key] of uploaded) json = json.replace(placeholder, key)
  const path = `/v1/send/${file.split('.')[0]}`
  show(file.replace('.json', ''), await api.post(path, JSON.parse(json), { headers }))
}
const sms = readFileSync(join(BODIES, 'sms.json'), 'utf8')
// axios sends a string as application/x-www-form-urlencoded unless the program sets another type.
show('sms without Content-Type', await api.post('/v1/send/sms', sms, { headers }))

let polled = await api.get<Envelope>('/v1/report/polling', { headers })
for (let tries = 0; polled.data.data.reportId === '' && tries < 50; tries++) {
  await pause(200)
  polled = await api.get('/v1/report/polling', { headers })
}
const { reportId, report = [] } = show('polling', polled).data
show('acknowledgement', await api.delete(`/v1/report/polling/${reportId}`, { headers }))
show('inquiry', await api.get(`/v1/report/inquiry/${report[0]?.msgKey}`, { headers }))
