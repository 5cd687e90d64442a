/**
 * The key file of a service account, and the assertion that is exchanged for an access token (RFC 7523, RS256). Errors name the
 * field and never its value.
 */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { parseObject } from '../http/json.ts'

export interface ServiceAccount {
  readonly clientEmail: string
  readonly keyId: string | undefined
  readonly privateKey: KeyObject
  readonly tokenUrl: string
}

const scope = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
const googleTokenUrl = 'https://oauth2.googleapis.com/token'
/** The maximum that Google accepts. */
const assertionSeconds = 3_600

/** Throws an Error that names the invalid field of the key file. */
export function parseServiceAccount(json: string): ServiceAccount {
  const {
    client_email: clientEmail,
    private_key: pem,
    private_key_id: keyId,
    token_uri: tokenUrl = googleTokenUrl,
  } = parseObject(json) ?? {}
  if (typeof clientEmail !== 'string' || clientEmail === '')
    throw new Error('rbm options: serviceAccount must be the JSON of a key file, with client_email')
  if (typeof tokenUrl !== 'string' || !/^https?:\/\//.test(tokenUrl) || !URL.canParse(tokenUrl))
    throw new Error('rbm options: token_uri of serviceAccount must be a valid URL')
  return {
    clientEmail,
    keyId: typeof keyId === 'string' && keyId !== '' ? keyId : undefined,
    privateKey: readKey(pem),
    tokenUrl,
  }
}

function readKey(pem: unknown): KeyObject {
  try {
    const key = createPrivateKey(pem as string)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // The error of the library can quote the key.
  }
  throw new Error('rbm options: private_key of serviceAccount must be an RSA key as PEM')
}

/** Throws an Error if the key cannot sign, for example because it is too short. */
export function checkServiceAccount(account: ServiceAccount): void {
  try {
    tokenRequest(account, 0)
  } catch {
    throw new Error(
      'rbm options: private_key of serviceAccount must be an RSA key that can sign, of at least 2048 bits',
    )
  }
}

/** Returns the body of a token request. Throws if the key cannot sign. */
export function tokenRequest(
  { clientEmail, keyId, privateKey, tokenUrl }: ServiceAccount,
  nowMs: number,
): string {
  const issuedAt = Math.floor(nowMs / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) }
  const claims = { iss: clientEmail, scope, aud: tokenUrl, iat: issuedAt, exp: issuedAt + assertionSeconds }
  const signed = `${encode(header)}.${encode(claims)}`
  const assertion = `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  }).toString()
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
