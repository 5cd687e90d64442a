/** The providers of this release. */
import { bandwidth } from './bandwidth.ts'
import type { Provider } from './kit/provider.ts'
import { messagebird } from './messagebird.ts'
import { msghub } from './msghub.ts'
import { sinch } from './sinch.ts'
import { solapi } from './solapi.ts'
import { telnyx } from './telnyx.ts'
import { twilio } from './twilio.ts'

export const providers: readonly Provider[] = [bandwidth, messagebird, msghub, sinch, solapi, telnyx, twilio]
