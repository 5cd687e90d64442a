export { Postern } from './postern.ts'
export type { CallOptions, SendOptions } from './call.ts'
export type { ClientOptions, Credentials, RequestLog, RetryOptions } from './options.ts'
export type {
  BatchResult,
  CreateBatchOptions,
  UploadedLines,
  UploadFileOptions,
  UploadOptions,
  WaitOptions,
} from './batches.ts'
export type { FollowOptions, InboxPage, PollOptions } from './inbox.ts'
export type { MessageFilter } from './messages.ts'
export type { MessageReports } from './reports.ts'
export type { SendAllOptions, SendAllResult } from './send-all.ts'
export type { UploadFile, UploadTarget } from './files.ts'
export {
  receiveWebhook,
  verifyWebhook,
  type ReceiveOptions,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookNotice,
} from './webhook-receiver.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PosternApiError,
  PosternError,
  QueueFullError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedResponseError,
  WebhookVerificationError,
} from './errors.ts'
export type { Operations, OperationId } from './generated/operations.ts'
export type * from './generated/types.ts'
