/** The requests to the API, without the token: paths, queries and bodies. Pure; golden files compare them. */
import { hash } from 'node:crypto'
import type { ConnectorFile } from '../connector.ts'
import type { Fields } from '../json.ts'
import { boundaryOf, writeMultipart, type MimePart } from '../multipart.ts'
import type { RbmOptions } from './options.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** `to` is in the form of E.164. */
export function messageRequest(to: string, messageId: string, agentId: string, message: Fields): ApiRequest {
  return {
    method: 'POST',
    url: `/v1/phones/${to}/agentMessages?${query({ messageId, agentId })}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  }
}

export function capabilityRequest(to: string, requestId: string, agentId: string): ApiRequest {
  return { method: 'GET', url: `/v1/phones/${to}/capabilities?${query({ requestId, agentId })}`, headers: {} }
}

export function uploadRequest(
  upload: RbmOptions['upload'],
  agentId: string,
  { bytes, contentType }: ConnectorFile,
): ApiRequest {
  if (upload === 'media')
    return {
      method: 'POST',
      url: `/upload/v1/files?${query({ uploadType: 'media', agentId })}`,
      headers: { 'content-type': contentType },
      body: bytes,
    }
  const boundary = boundaryOf(hash('sha256', bytes))
  const parts: readonly MimePart[] = [
    {
      headers: [['content-type', 'application/json; charset=UTF-8']],
      body: Buffer.from(JSON.stringify({ agentId })),
    },
    { headers: [['content-type', contentType]], body: bytes },
  ]
  return {
    method: 'POST',
    url: '/upload/v1/files?uploadType=multipart',
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: writeMultipart(parts, boundary),
  }
}

function query(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString()
}
