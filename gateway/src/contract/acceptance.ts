/**
 * Whether the message of a failed send may have been accepted all the same: the header of every response to a send other
 * than 200, and the field of a failed destination inside a 200. A client sends again without risk only after `no`; a
 * missing value means `perhaps`.
 */
export type Acceptance = 'no' | 'perhaps'

export const acceptanceHeader = 'message-accepted'
