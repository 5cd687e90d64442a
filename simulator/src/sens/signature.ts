/**
 * Verifies the request signature of the API gateway: HMAC-SHA256 over method, target, time and access key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../shared/http-server.ts'
import type { SensOptions } from './settings.ts'

const MAX_SKEW_MS = 300_000

export function isAuthentic({ method, target, headers }: HttpRequest, options: SensOptions): boolean {
  const timestamp = String(headers['x-ncp-apigw-timestamp'] ?? '')
  const accessKey = String(headers['x-ncp-iam-access-key'] ?? '')
  const signature = String(headers['x-ncp-apigw-signature-v2'] ?? '')
  if (timestamp === '' || accessKey === '' || signature === '') return false
  if (!(Math.abs(Date.now() - Number(timestamp)) <= MAX_SKEW_MS)) return false
  if (options.accessKey !== undefined && accessKey !== options.accessKey) return false
  if (options.secretKey === undefined) return true
  const expected = createHmac('sha256', options.secretKey)
    .update(`${method} ${target}\n${timestamp}\n${accessKey}`)
    .digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
