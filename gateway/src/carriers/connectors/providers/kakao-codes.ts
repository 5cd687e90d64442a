/**
 * Kakao result codes as resellers report them; only the success code differs. Sources: error-code.md of TOAST-DOCS/Alimtalk
 * and the result codes of sens-alimtalk-get.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { ProviderReceipt } from './kit/index.ts'

const codesByCause: Readonly<Partial<Record<Cause, string>>> = {
  'unregistered-sender': '1003 1005 1006 1007 1011 1014 1016 1021 1022 1023 1024',
  spam: '1025 1027',
  'bad-number': '1020 3008',
  'temporary-failure': '2001 2005 3006 3010 4156 9998',
  refused: '3013 3014 3015 3016 3020 3025 3026 3027 3028 3029 3030 3031 3032 3033 3034 3035 3036 4133',
  unsupported: '3018 3021',
  'no-subscriber': '3019',
  'night-hours': '3022',
  attachment: '3024',
  timeout: '4143',
}
const causes: ReadonlyMap<string, Cause> = new Map(
  Object.entries(codesByCause).flatMap(([cause, codes]) =>
    codes.split(' ').map((code): [string, Cause] => [code, cause as Cause]),
  ),
)

/** Sent but not acknowledged: it can arrive within three days, so only the deadline of the step ends it. */
const unacknowledged = '3005'

export function kakaoResult(code: string, success: string): ProviderReceipt['result'] {
  if (code === unacknowledged) return 'pending'
  return code === success ? 'delivered' : 'failed'
}

export function kakaoCause(code: string): Cause {
  return causes.get(code) ?? 'failed'
}
