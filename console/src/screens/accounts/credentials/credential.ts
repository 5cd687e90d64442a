/** A key or the password of an account, as it is listed. */
import type { Data } from '../../../api/call.ts'

export type Credential = Data<'listCredentials'>['credentials'][number]
