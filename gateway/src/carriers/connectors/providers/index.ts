import { africastalking } from './africastalking.ts'
import { bandwidth } from './bandwidth.ts'
import { clickatell } from './clickatell.ts'
import { infobip } from './infobip.ts'
import type { Provider } from './kit/provider.ts'
import { messagebird } from './messagebird.ts'
import { msghub } from './msghub.ts'
import { nhnKakao } from './nhn-kakao.ts'
import { nhn } from './nhn.ts'
import { plivo } from './plivo.ts'
import { sensKakao } from './sens-kakao.ts'
import { sens } from './sens.ts'
import { sinch } from './sinch.ts'
import { solapi } from './solapi.ts'
import { telnyx } from './telnyx.ts'
import { twilio } from './twilio.ts'
import { vonage } from './vonage.ts'

export const providers: readonly Provider[] = [
  africastalking,
  bandwidth,
  clickatell,
  infobip,
  messagebird,
  msghub,
  nhn,
  nhnKakao,
  plivo,
  sens,
  sensKakao,
  sinch,
  solapi,
  telnyx,
  twilio,
  vonage,
]
