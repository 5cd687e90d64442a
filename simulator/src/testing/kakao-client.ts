/** A JSON client over node:http, and a multipart body with one file. */
import { request } from 'node:http'

export interface JsonReply {
  readonly status: number
  /** Empty if the response is not JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

function parseOrEmpty(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

export function postJson(
  port: number,
  path: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<JsonReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve({ status: response.statusCode!, body: parseOrEmpty(text) }))
    })
    outgoing.end(body)
  })
}

export function formData(
  name: string,
  file: Buffer,
): { readonly contentType: string; readonly body: Buffer } {
  const head = `--form\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--form--\r\n')])
  return { contentType: 'multipart/form-data; boundary=form', body }
}
