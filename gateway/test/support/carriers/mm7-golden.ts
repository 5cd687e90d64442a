/** The golden requests of MM7: the requests of clients in `gateway/test/contract/golden/mm7`, as each dialect writes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialectNames, type DialectName } from '../../../src/carriers/connectors/mm7/dialect.ts'
import { submitRequest, type Mm7Request } from '../../../src/carriers/connectors/mm7/submit-request.ts'
import { requireFileKeys } from '../accepted.ts'
import { jpeg, mm7Options, mmsSubmission } from './mm7.ts'

export const goldenFolder = join(import.meta.dirname, '../../contract/golden/mm7')

export interface GoldenBody {
  readonly from: string
  readonly to: string
  readonly title?: string
  readonly text: string
  readonly fileKey?: readonly string[]
  readonly originCID?: string
}

export interface GoldenCase {
  readonly name: string
  readonly dialect: DialectName
  readonly body: GoldenBody
  readonly request: Mm7Request
}

const reference = '20261115000000000C00A00000000001-1-1-1'
const now = new Date('2026-11-15T04:04:27Z')

export function goldenCases(): GoldenCase[] {
  const bodies = JSON.parse(readFileSync(join(goldenFolder, 'requests.json'), 'utf8')) as Record<
    string,
    GoldenBody
  >
  return dialectNames.flatMap((dialect) => {
    const options = mm7Options({
      dialect,
      partnerId: 'partner',
      skt: { relayId: '0002' },
      billingNumber: '0298765432',
    })
    return Object.entries(bodies).map(([name, body]) => {
      const submission = mmsSubmission(body, { reference, validUntil: new Date(now.getTime() + 86_400_000) })
      requireFileKeys(submission)
      if (submission.message.channel !== 'mms') throw new TypeError('not an MMS')
      const images = (body.fileKey ?? []).map((_, index) => jpeg(index))
      const request = submitRequest(options, submission, submission.message.content, images, now)
      return { name: `${dialect}-${name}`, dialect, body, request }
    })
  })
}

export function toHttp({ headers, body }: Mm7Request): Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${head.join('')}\r\n`), body])
}
