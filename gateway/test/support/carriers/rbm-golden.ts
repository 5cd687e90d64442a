/** The golden requests of RBM: the requests of clients in `gateway/test/contract/golden/rbm`, as the connector writes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAgentMessage } from '../../../src/carriers/connectors/rbm/message.ts'
import { toRbmMessageId } from '../../../src/carriers/connectors/rbm/message-id.ts'
import {
  capabilityRequest,
  messageRequest,
  rbmUploadRequest,
  type ApiRequest,
} from '../../../src/carriers/connectors/rbm/requests.ts'
import { requireFileKeys } from '../accepted.ts'
import { rbmOptions, rcsSubmission } from './rbm.ts'

export const goldenFolder = join(import.meta.dirname, '../../contract/golden/rbm')

const reference = '20261115000000000C00A00000000001-1-1-1'
const expireTime = new Date('2026-11-16T04:04:27Z')
const to = '+821012345678'
const agentId = 'acme_agent'
const file = { key: 'a', bytes: Buffer.from('GIF89a'), contentType: 'image/gif', name: 'a.gif' }

export interface GoldenCase {
  readonly name: string
  readonly request: ApiRequest
}

export function goldenCases(): GoldenCase[] {
  const options = rbmOptions()
  const cases = Object.entries(goldenBodies()).map(([name, body]) => {
    const submission = rcsSubmission(body)
    requireFileKeys(submission)
    const { message } = submission
    if (message.channel !== 'rcs') throw new TypeError('not an RCS message')
    const toFileName = (key: string): string => `files/${key.replace('maapfile://', '')}`
    const agentMessage = toAgentMessage(options, message.content, expireTime, toFileName)
    return { name, request: messageRequest(to, toRbmMessageId(reference), agentId, agentMessage) }
  })
  return [
    ...cases,
    { name: 'capability', request: capabilityRequest(to, '00000000-0000-4000-8000-000000000000', agentId) },
    { name: 'upload', request: rbmUploadRequest(agentId, file) },
  ]
}

export function goldenBodies(): Readonly<Record<string, object>> {
  return JSON.parse(readFileSync(join(goldenFolder, 'requests.json'), 'utf8')) as Record<string, object>
}

export function toHttp({ method, url, headers, body = '' }: ApiRequest): Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${url}\r\n${head.join('')}\r\n`), Buffer.from(body)])
}
