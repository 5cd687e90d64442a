/** The golden requests of Kakao: the requests of clients in `gateway/test/contract/golden/kakao`, and what is posted for them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { uploadPath, kakaoUploadRequest } from '../../../src/carriers/connectors/kakao/images.ts'
import type { ResponseMethod } from '../../../src/carriers/connectors/kakao/options.ts'
import {
  sendHeaders,
  toKakaoMessage,
  toKakaoRequest,
} from '../../../src/carriers/connectors/kakao/request.ts'
import { serialBase } from '../../../src/carriers/connectors/kakao/serial.ts'
import {
  everyResult,
  flowSubmission,
  kakaoOptions,
  sendSubmission,
  type KakaoChannel,
} from './kakao-messages.ts'
import { jpeg } from './mm7.ts'

export const goldenFolder = join(import.meta.dirname, '../../contract/golden/kakao')

/** Either `send` with the `body` of `POST /v1/send/<send>`, or `flow` with an `entry` of a flow. */
interface GoldenRequest {
  readonly send?: KakaoChannel
  readonly body?: object
  readonly flow?: KakaoChannel
  readonly entry?: object
  readonly results?: ResponseMethod
}

export interface GoldenCase {
  readonly name: string
  readonly http: Buffer
}

const reference = '20261115000000000C00A00000000001-1-1-1'

export function goldenCases(): GoldenCase[] {
  const requests = JSON.parse(readFileSync(join(goldenFolder, 'requests.json'), 'utf8')) as Record<
    string,
    GoldenRequest
  >
  return Object.entries(requests).map(([name, given]) => ({ name, http: encodeRequests(given) }))
}

/** Returns the HTTP requests: the uploads of the images, then the message. */
function encodeRequests({ send, body, flow, entry, results = 'realtime' }: GoldenRequest): Buffer {
  const options = kakaoOptions({
    results: everyResult(results),
    brandPath: 'assigned/path',
    friendtalk: 'convert',
  })
  const submission =
    send === undefined
      ? flowSubmission(flow!, entry!, { reference })
      : sendSubmission(send, body!, { reference })
  const message = toKakaoMessage(options, submission)
  if ('kind' in message) throw new Error(message.text)
  const ours = submission.files.filter(({ key }) => key.startsWith('https://files.example.com/'))
  const images = new Map(ours.map(({ key }, n) => [key, `https://mud-kage.kakao.com/dn/${n + 1}/img.jpg`]))
  const request = toKakaoRequest(options, message, submission, serialBase(reference), images)
  const uploads = ours.map((file, n) => {
    const content = { key: file.key, bytes: jpeg(), contentType: 'image/jpeg', name: `${n + 1}.jpg` }
    const { url, headers, body: octets } = kakaoUploadRequest(options, content, uploadPath(file))
    return Buffer.concat([toHttp(url, headers, octets), Buffer.from('\r\n')])
  })
  return Buffer.concat([...uploads, toHttp(request.url, sendHeaders, Buffer.from(`${request.body}\r\n`))])
}

function toHttp(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${url}\r\n${head.join('')}\r\n`), body])
}
