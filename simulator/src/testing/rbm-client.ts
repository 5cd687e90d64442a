/** Requests for the server of RCS Business Messaging (RBM) over node:http, service account assertions, and messages. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { request } from 'node:http'
import type { JsonReply } from './kakao-client.ts'

export type RbmFields = Record<string, unknown>

export const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const assertionClaims = (change: RbmFields = {}): RbmFields => {
  const now = Math.floor(Date.now() / 1000)
  const scope = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
  const aud = 'https://oauth2.googleapis.com/token'
  return { iss: 'agent@project.example', scope, aud, iat: now, exp: now + 3600, ...change }
}

export function signAssertion(payload: RbmFields, key = privateKey, alg = 'RS256'): string {
  const encode = (value: RbmFields): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(payload)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** A response body that is not JSON becomes `{}`. */
export function callRbm(
  port: number,
  method: string,
  path: string,
  body: string | Buffer,
  headers: Record<string, string>,
): Promise<JsonReply> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { ...headers, ...length } })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('end', () => {
        try {
          resolve({ status: response.statusCode!, body: JSON.parse(text) as RbmFields })
        } catch {
          resolve({ status: response.statusCode!, body: {} })
        }
      })
    })
    outgoing.end(body)
  })
}

export const replySuggestion = { reply: { text: 'Yes', postbackData: 'yes' } }

export const textMessage = (content: RbmFields = {}, change: RbmFields = {}): RbmFields => ({
  contentMessage: { text: 'Hello', suggestions: [replySuggestion], ...content },
  messageTrafficType: 'TRANSACTION',
  ttl: '3600s',
  ...change,
})

const media = (height: string): RbmFields => ({
  height,
  contentInfo: { fileUrl: 'https://media.example/a.jpg', forceRefresh: false },
})

export const rbmCard = (change: RbmFields = {}, height = 'MEDIUM'): RbmFields => ({
  title: 'Title',
  description: 'Description',
  media: media(height),
  suggestions: [{ action: { text: 'Open', openUrlAction: { url: 'https://example.com' } } }],
  ...change,
})

export const standalone = (change: RbmFields = {}, content: RbmFields = rbmCard()): RbmFields => ({
  contentMessage: {
    richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: content, ...change } },
  },
})

export const carousel = (cardWidth: string, cardContents: RbmFields[]): RbmFields => ({
  contentMessage: { richCard: { carouselCard: { cardWidth, cardContents } } },
})
