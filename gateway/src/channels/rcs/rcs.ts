/**
 * The RCS channel: what it accepts, what it enforces, and what a connector to a carrier receives. The names here
 * are all that other folders use; nothing is done in this file.
 */
export { checkContent } from './check.ts'
export { FlowEntry, SimpleBody, fieldCodes, type Entry } from './entry.ts'
export { Fallback, checkFallback, fallbackChannel } from './fallback.ts'
export { fileKeysOf } from './files.ts'
export { carouselImagesBytes, formatOf, formats, type Format } from './formats.ts'
export { expirySeconds, templateLimits, type ExpiryOption, type TemplateKind } from './limits.ts'
export { msgTypeOf } from './msg-type.ts'
export { deadlineSecondsOf, textOf, toSubmission, type SubmissionContent } from './submission.ts'
export { checkTemplate } from './template.ts'
