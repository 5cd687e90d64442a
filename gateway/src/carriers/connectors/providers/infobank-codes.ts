/**
 * Result codes of SMS and MMS at NHN Cloud and Naver SENS, which both return the codes of the same relay. The success code
 * differs between the providers; every other code is a failure.
 */
import type { Cause } from '../../../channels/cause.ts'

export const infobankCauses: Readonly<Record<string, Cause>> = {
  '1001': 'temporary-failure',
  '1002': 'bad-number',
  '1003': 'unregistered-sender',
  '1004': 'spam',
  '1019': 'timeout',
  '2000': 'timeout',
  '2001': 'radio-failure',
  '2002': 'radio-failure',
  '2003': 'phone-off',
  '2004': 'buffer-full',
  '2005': 'shadow-area',
  '2007': 'temporary-failure',
  '3001': 'no-subscriber',
  '3003': 'bad-number',
  '3004': 'temporary-failure',
  '3005': 'temporary-failure',
  '3006': 'refused',
  '3007': 'unsupported',
  '3010': 'unsupported',
  '3012': 'spam',
  '3013': 'refused',
  '3016': 'attachment',
  '3017': 'unregistered-sender',
  '3018': 'unregistered-sender',
  '3019': 'unregistered-sender',
  '3023': 'unregistered-sender',
  E911: 'attachment',
  E912: 'attachment',
  E913: 'attachment',
  E914: 'attachment',
  E915: 'duplicate',
  E916: 'refused',
  E917: 'refused',
  E919: 'night-hours',
}
