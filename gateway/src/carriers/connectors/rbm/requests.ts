/** Builds requests to the API without the token. A test compares them with golden files. */
import type { ConnectorFile } from '../connector.ts'
import type { JsonFields } from '../http/json.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** `to` must be in E.164 format. */
export function messageRequest(
  to: string,
  messageId: string,
  agentId: string,
  message: JsonFields,
): ApiRequest {
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

/** Follows the file upload example of Google's guide "Send messages". */
export function rbmUploadRequest(agentId: string, { bytes, contentType }: ConnectorFile): ApiRequest {
  return {
    method: 'POST',
    url: `/upload/v1/files?${query({ agentId })}`,
    headers: { 'content-type': contentType },
    body: bytes,
  }
}

function query(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString()
}
