/** The request of a submission with every secret masked, for `postern route try`. Pure. */
import { clock } from '../../platform/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../kind.ts'
import { mask } from '../secrets.ts'
import { compile } from './compile.ts'
import { textOf } from './connector.ts'
import type { HttpOptions } from './options.ts'
import type { Verify } from './profile.ts'

/** A mask is no key for signatures, and callbacks are not shown. */
const verify: Verify = { by: 'none', signed: '{body}', algorithm: 'sha256', encoding: 'hex', prefix: '' }

export function previewHttp(options: HttpOptions, submission: Submission): RequestPreview {
  const secrets = Object.fromEntries(Object.keys(options.secrets).map((name) => [name, mask]))
  const { request } = compile({ ...options, secrets, verify })
  const preview = request(submission, textOf(submission) ?? '', clock.now())
  const { authorization } = preview.headers
  const basic = authorization?.startsWith('Basic ') === true ? { authorization: `Basic ${mask}` } : {}
  return { ...preview, headers: { ...preview.headers, ...basic, ...maskedHeader(options) } }
}

/** The header of `auth`, if it has a secret itself: it names nothing but a secret, or one after the scheme (`Bearer {token}`). */
function maskedHeader({ auth, secrets }: HttpOptions): Readonly<Record<string, string>> {
  if (auth?.header === undefined) return {}
  const { name, value } = auth.header
  const secret = /^(?:[A-Za-z]+ )?\{([^{}|]*)\}$/.exec(value)?.[1]
  return secret !== undefined && Object.hasOwn(secrets, secret) ? {} : { [name.toLowerCase()]: mask }
}
