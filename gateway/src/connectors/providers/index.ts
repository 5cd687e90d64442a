/** The providers of this release. */
import type { Provider } from './kit/provider.ts'
import { twilio } from './twilio.ts'

export const providers: readonly Provider[] = [twilio]
