/** Implements `RichKind` for RCS messages. */
export { checkContent } from './check.ts'
export { FlowEntry, SimpleBody, fieldCodes } from './entry.ts'
export { getFileReferences } from './files.ts'
export { getMsgType } from './msg-type.ts'
export { getExpirySeconds, getText, toSubmission } from './submission.ts'
