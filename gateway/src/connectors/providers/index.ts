/** The providers of this release. */
import { bandwidth } from './bandwidth.ts'
import type { Provider } from './kit/provider.ts'
import { messagebird } from './messagebird.ts'
import { sinch } from './sinch.ts'
import { telnyx } from './telnyx.ts'
import { twilio } from './twilio.ts'

export const providers: readonly Provider[] = [bandwidth, messagebird, sinch, telnyx, twilio]
