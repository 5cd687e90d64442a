/** What makes an RCS message a channel: the shapes it accepts, its checks, and what a connector receives. */
export { checkContent } from './check.ts'
export { FlowEntry, SimpleBody, fieldCodes } from './entry.ts'
export { fileKeysOf } from './files.ts'
export { msgTypeOf } from './msg-type.ts'
export { expirySecondsOf, textOf, toSubmission } from './submission.ts'
