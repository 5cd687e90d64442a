/** The golden requests of MaaP: requests of clients in `gateway/test/contract/golden/maap`, as the carriers and the relay get them. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carrierBody } from '../../../src/carriers/connectors/maap/carrier-request.ts'
import type { MaapFileReferences } from '../../../src/carriers/connectors/maap/message.ts'
import { relayBody } from '../../../src/carriers/connectors/maap/relay-request.ts'
import { createMaapFileId, maapUploadRequest } from '../../../src/carriers/connectors/maap/upload-request.ts'
import { requireFileKeys } from '../accepted.ts'
import { maapOptions, rcsSubmission, relayOptions } from './maap.ts'

export const goldenFolder = join(import.meta.dirname, '../../contract/golden/maap')

export interface GoldenCase {
  /** `carrier-SS000000` or `relay-SS000000`. */
  readonly name: string
  readonly variant: 'carrier' | 'relay'
  readonly request: object
  readonly contentType: string
  readonly body: Buffer
}

const reference = '20261115000000000C00A00000000001-1-1-1'
const now = new Date('2026-11-15T04:04:27.123Z')
const json = 'application/json; charset=utf-8'
/** Ids of the files after their upload to the host. */
const uploaded: MaapFileReferences = new Map(
  ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => [
    `maapfile://20261115000000000C00${letter.repeat(20)}`,
    `maapfile://BR.postern.of-${letter.toLowerCase()}`,
  ]),
)

export function goldenCases(): GoldenCase[] {
  const requests = JSON.parse(readFileSync(join(goldenFolder, 'requests.json'), 'utf8')) as Record<
    string,
    { readonly ttl?: string }
  >
  const carrier = maapOptions({ brandKey: 'BK.route' })
  const relay = relayOptions({ brandKey: 'BK.route', cdrId: 'billed' })
  const messages = Object.entries(requests).flatMap(([name, request]): GoldenCase[] => {
    const seconds = Number(request.ttl ?? 86_400)
    const validUntil = new Date(now.getTime() + seconds * 1_000)
    const submission = rcsSubmission(request, { reference, validUntil })
    requireFileKeys(submission)
    if (submission.message.channel !== 'rcs') throw new TypeError('not an RCS message')
    const { content } = submission.message
    const files = submission.files.length === 0 ? new Map<string, string>() : uploaded
    const nowMs = now.getTime()
    const common = { request, contentType: json }
    return [
      {
        ...common,
        name: `carrier-${name}`,
        variant: 'carrier',
        body: Buffer.from(carrierBody(carrier, submission, content, files, nowMs)),
      },
      {
        ...common,
        name: `relay-${name}`,
        variant: 'relay',
        body: Buffer.from(relayBody(relay, submission, content, files, nowMs)),
      },
    ]
  })
  return [...messages, ...uploads()]
}

function uploads(): GoldenCase[] {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\n--image', 'latin1')
  const file = { key: 'maapfile://a', bytes, contentType: 'image/png', name: 'a.png' }
  const digest = hash('sha256', bytes)
  const fileId = createMaapFileId('BR.postern', digest, now)
  const fields = {
    carrier: { usageType: 'send', messagebaseId: 'SMwThT00' },
    relay: { usageType: 'send', usageService: 'RCS' },
  }
  return (['carrier', 'relay'] as const).map((variant) => ({
    name: `${variant}-file`,
    variant,
    request: {},
    ...maapUploadRequest(fileId, file, digest, fields[variant]),
  }))
}

export function toHttp({ contentType, body }: GoldenCase): Buffer {
  return Buffer.concat([Buffer.from(`content-type: ${contentType}\r\n\r\n`), body])
}
