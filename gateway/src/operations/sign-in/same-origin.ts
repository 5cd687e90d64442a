/**
 * Refuses requests that another site makes a browser send for a signed-in operator. Browsers send the source
 * in `Sec-Fetch-Site`, older ones in `Origin`. Applies only to requests with a cookie: browsers do not send
 * keys on their own.
 */
import { OperationError } from '../errors.ts'

export interface OriginHeaders {
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly origin?: string | undefined
  readonly host?: string | undefined
}

/** `publicUrl` is POSTERN_ADMIN_URL; without it the host of the request is compared. */
export function requireSameOrigin(headers: OriginHeaders, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  const isSameOrigin = site === undefined ? hasOwnOrigin(headers, publicUrl) : site === 'same-origin'
  if (isSameOrigin) return
  throw new OperationError(
    'cross-site',
    `the request does not come from a page of this server (see the header ${site === undefined ? 'Origin' : 'Sec-Fetch-Site'})`,
  )
}

function hasOwnOrigin({ origin, host }: OriginHeaders, publicUrl: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const given = new URL(origin)
  // Behind a proxy the scheme of the request differs from that of the browser.
  return publicUrl === undefined
    ? given.host === host?.toLowerCase()
    : given.origin === new URL(publicUrl).origin
}
