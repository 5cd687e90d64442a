/** Every operation that needs a token: its address, and the types of its request and response.
 * Generated from the definitions in gateway/src/edge/api/reference; change the source and run `npm run generate`. */

import type * as types from './types.ts'

export interface Operations {
  /** Send an SMS */
  readonly sendSms: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.SmsMessage
    readonly response: types.SendResponse
  }
  /** Send an LMS or MMS */
  readonly sendMms: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.MmsMessage
    readonly response: types.SendResponse
  }
  /** Send an international SMS */
  readonly sendInternational: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.InternationalMessage
    readonly response: types.SendResponse
  }
  /** Send an RCS message */
  readonly sendRcs: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.RcsMessage
    readonly response: types.SendResponse
  }
  /** Send an alimtalk */
  readonly sendAlimtalk: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.AlimtalkMessage
    readonly response: types.SendResponse
  }
  /** Send a friendtalk */
  readonly sendFriendtalk: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.FriendtalkMessage
    readonly response: types.SendResponse
  }
  /** Send a brand message */
  readonly sendBrandmessage: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
      /** Time limit for the delivery in seconds, 1 to 259200; 86400 by default. 300 or less is urgent. A fallback has its own `ttl`. */
      readonly ttl?: number | undefined
    }
    readonly body: types.BrandmessageMessage
    readonly response: types.SendResponse
  }
  /** Send a flow of messages with ordered fallback */
  readonly sendOmni: {
    readonly query: {
      /** When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written %2B). Default: immediately. Until then the message can be cancelled by its msgKey. */
      readonly sendAt?: string | undefined
    }
    readonly body: types.OmniRequest
    readonly response: types.OmniResponse
  }
  /** Cancel a scheduled message */
  readonly cancelSend: {
    readonly path: {
      /** msgKey from the response to the send. */
      readonly msgKey: string
    }
    readonly response: types.PlainResponse
  }
  /** Create a batch */
  readonly createBatch: { readonly body: types.BatchRequest; readonly response: types.BatchResponse }
  /** List batches */
  readonly listBatches: {
    readonly query: {
      /** Only batches in this state. */
      readonly state?:
        | 'open'
        | 'checking'
        | 'ready'
        | 'running'
        | 'paused'
        | 'cancelled'
        | 'ended'
        | undefined
      /** The whole `ref` of the batch. */
      readonly ref?: string | undefined
      /** Maximum number of batches on a page. */
      readonly limit?: number | undefined
      /** The `next` of the previous page. */
      readonly after?: string | undefined
    }
    readonly response: types.BatchListResponse
  }
  /** Check a batch */
  readonly checkBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Start a batch */
  readonly startBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Pause a batch */
  readonly pauseBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Resume a batch */
  readonly resumeBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Get a batch */
  readonly showBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Cancel a batch */
  readonly cancelBatch: {
    readonly path: {
      /** batchId from the response to the creation. */
      readonly batchId: string
    }
    readonly response: types.BatchResponse
  }
  /** Cancel by ref */
  readonly cancelByRef: { readonly body: types.CancelRequest; readonly response: types.CancelledResponse }
  /** Upload an image for MMS or RCS */
  readonly uploadImage: {
    readonly path: {
      /** The service that the image is for. */
      readonly serviceTypeOrFileKey: 'MMS' | 'RCS' | 'FRIENDTALK' | 'BRANDMESSAGE'
    }
    readonly body: types.UploadRequest
    readonly response: types.UploadResponse
  }
  /** Delete a file */
  readonly deleteFile: {
    readonly path: {
      /** fileKey of the image. */
      readonly serviceTypeOrFileKey: string
    }
    readonly response: types.PlainResponse
  }
  /** Upload an image for friendtalk or a brand message */
  readonly uploadImageOfKind: {
    readonly path: {
      /** The service that the image is for. */
      readonly serviceType: 'MMS' | 'RCS' | 'FRIENDTALK' | 'BRANDMESSAGE'
      /** The kind of image: FI, FW, FL, FC or FA for FRIENDTALK, the others for BRANDMESSAGE. */
      readonly msgType:
        | 'FI'
        | 'FW'
        | 'FL'
        | 'FC'
        | 'FA'
        | 'default'
        | 'wide'
        | 'wideItemList'
        | 'carouselFeed'
        | 'carouselCommerce'
    }
    readonly body: types.UploadRequest
    readonly response: types.UploadResponse
  }
  /** Upload the first image of a wide item list */
  readonly uploadImageOfSubkind: {
    readonly path: {
      /** The service that the image is for. */
      readonly serviceType: 'MMS' | 'RCS' | 'FRIENDTALK' | 'BRANDMESSAGE'
      /** The kind of image: FI, FW, FL, FC or FA for FRIENDTALK, the others for BRANDMESSAGE. */
      readonly msgType:
        | 'FI'
        | 'FW'
        | 'FL'
        | 'FC'
        | 'FA'
        | 'default'
        | 'wide'
        | 'wideItemList'
        | 'carouselFeed'
        | 'carouselCommerce'
      /** Only first, of wideItemList. */
      readonly subType: 'first'
    }
    readonly body: types.UploadRequest
    readonly response: types.UploadResponse
  }
  /** Register a form */
  readonly registerForm: { readonly body: types.FormRequest; readonly response: types.RegisteredFormResponse }
  /** Get a form */
  readonly showForm: {
    readonly path: {
      /** formId from the response to the registration. */
      readonly formId: string
    }
    readonly response: types.FoundFormResponse
  }
  /** Change a form */
  readonly changeForm: {
    readonly path: {
      /** formId from the response to the registration. */
      readonly formId: string
    }
    readonly body: types.FormRequest
    readonly response: types.RegisteredFormResponse
  }
  /** Delete a form */
  readonly deleteForm: {
    readonly path: {
      /** formId from the response to the registration. */
      readonly formId: string
    }
    readonly response: types.PlainResponse
  }
  /** Poll the next batch of reports */
  readonly pollReports: { readonly response: types.PollResponse }
  /** Acknowledge a batch */
  readonly acknowledgeReports: {
    readonly path: {
      /** reportId from the response to polling. */
      readonly reportId: string
    }
    readonly response: types.PlainResponse
  }
  /** Look up the reports of one message */
  readonly findReports: {
    readonly path: {
      /** msgKey from the response to the send. */
      readonly msgKey: string
    }
    readonly response: types.InquiryResponse
  }
  /** Find messages */
  readonly searchMessages: {
    readonly body: types.MessageSearchRequest
    readonly response: types.MessageListResponse
  }
  /** Get the timeline of one message */
  readonly showMessage: {
    readonly path: {
      /** msgKey from the response to the send. */
      readonly msgKey: string
    }
    readonly response: types.MessageResponse
  }
  /** Read reports from any position */
  readonly streamReports: {
    readonly query: {
      /** A name of your choice whose position is stored. */
      readonly consumer?: string | undefined
      /** A cursor from an earlier response of the stream. */
      readonly cursor?: string | undefined
      /** Start with reports that became known at this time: ISO 8601 with an offset. */
      readonly from?: string | undefined
      /** Maximum number of reports. */
      readonly limit?: number | undefined
      /** Seconds to wait for a report when there is none. */
      readonly wait?: number | undefined
    }
    readonly response: types.StreamResponse
  }
  /** Acknowledge up to a cursor */
  readonly moveConsumer: {
    readonly path: {
      /** The consumer with which the stream was read. */
      readonly consumer: string
    }
    readonly body: types.StreamPosition
    readonly response: types.PlainResponse
  }
  /** Get the next replies */
  readonly pollReplies: { readonly response: types.ReplyBatchResponse }
  /** Acknowledge a batch of replies */
  readonly acknowledgeReplies: {
    readonly path: {
      /** The batchId that GET /v1/replies returned. */
      readonly batchId: string
    }
    readonly response: types.PlainResponse
  }
  /** Read replies from any position */
  readonly streamReplies: {
    readonly query: {
      /** A name of your choice whose position is stored. */
      readonly consumer?: string | undefined
      /** A cursor from an earlier response of this stream. */
      readonly cursor?: string | undefined
      /** Start with replies that were stored at this time: ISO 8601 with an offset. */
      readonly from?: string | undefined
      /** Maximum number of replies. */
      readonly limit?: number | undefined
      /** Seconds to wait for a reply when there is none. */
      readonly wait?: number | undefined
    }
    readonly response: types.ReplyStreamResponse
  }
  /** Acknowledge replies up to a cursor */
  readonly moveReplyConsumer: {
    readonly path: {
      /** The consumer with which the stream was read. */
      readonly consumer: string
    }
    readonly body: types.StreamPosition
    readonly response: types.PlainResponse
  }
  /** Get the usage */
  readonly showUsage: {
    readonly query: {
      /** First day; default: 29 days before the last one. */
      readonly from?: string | undefined
      /** Last day; at most 366 days including the first; default: today. */
      readonly to?: string | undefined
      /** Grouping, separated by commas: any of day, channel, carrier, outcome, paymentCode. */
      readonly by?: string | undefined
      /** Rows of one response. */
      readonly limit?: number | undefined
      /** The `next` of the previous response, to get the following rows; with text/csv it is in the header X-Next. */
      readonly after?: string | undefined
    }
    readonly response: types.UsageResponse
  }
  /** Suppress recipients */
  readonly suppress: {
    readonly body: types.SuppressionRequest
    readonly response: types.SuppressionChangedResponse
  }
  /** Look up a recipient */
  readonly searchSuppression: {
    readonly body: types.SuppressionRecipient
    readonly response: types.SuppressionResponse
  }
  /** Remove a recipient from the list */
  readonly removeSuppression: {
    readonly body: types.SuppressionRecipient
    readonly response: types.SuppressionChangedResponse
  }
  /** Report codes that were used */
  readonly reportConversion: {
    readonly body: types.ConversionRequest
    readonly response: types.ConversionResponse
  }
  /** Create a webhook */
  readonly createWebhook: {
    readonly body: types.WebhookRequest
    readonly response: types.CreatedWebhookResponse
  }
  /** List the webhooks */
  readonly listWebhooks: { readonly response: types.WebhooksResponse }
  /** Get a webhook */
  readonly showWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly response: types.WebhookResponse
  }
  /** Change a webhook */
  readonly changeWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly body: types.WebhookChange
    readonly response: types.WebhookResponse
  }
  /** Delete a webhook */
  readonly deleteWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly response: types.PlainResponse
  }
  /** Test a webhook */
  readonly testWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly response: types.WebhookTestResponse
  }
  /** Rotate the secret */
  readonly rotateWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly body: types.WebhookRotation
    readonly response: types.WebhookSecretResponse
  }
  /** Push reports again */
  readonly replayWebhook: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly body: types.WebhookReplay
    readonly response: types.WebhookReplayResponse
  }
  /** List the last pushes */
  readonly listDeliveries: {
    readonly path: {
      /** webhookId from the response to its creation. */
      readonly webhookId: string
    }
    readonly response: types.WebhookDeliveriesResponse
  }
}

export type OperationId = keyof Operations

export interface OperationAddress {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

export const operations: Readonly<Record<OperationId, OperationAddress>> = {
  sendSms: { method: 'POST', path: '/v1/send/sms' },
  sendMms: { method: 'POST', path: '/v1/send/mms' },
  sendInternational: { method: 'POST', path: '/v1/send/international' },
  sendRcs: { method: 'POST', path: '/v1/send/rcs' },
  sendAlimtalk: { method: 'POST', path: '/v1/send/alimtalk' },
  sendFriendtalk: { method: 'POST', path: '/v1/send/friendtalk' },
  sendBrandmessage: { method: 'POST', path: '/v1/send/brandmessage' },
  sendOmni: { method: 'POST', path: '/v1/send/omni' },
  cancelSend: { method: 'DELETE', path: '/v1/send/{msgKey}' },
  createBatch: { method: 'POST', path: '/v1/batch' },
  listBatches: { method: 'GET', path: '/v1/batch' },
  checkBatch: { method: 'POST', path: '/v1/batch/{batchId}/check' },
  startBatch: { method: 'POST', path: '/v1/batch/{batchId}/start' },
  pauseBatch: { method: 'POST', path: '/v1/batch/{batchId}/pause' },
  resumeBatch: { method: 'POST', path: '/v1/batch/{batchId}/resume' },
  showBatch: { method: 'GET', path: '/v1/batch/{batchId}' },
  cancelBatch: { method: 'POST', path: '/v1/batch/{batchId}/cancel' },
  cancelByRef: { method: 'POST', path: '/v1/cancel' },
  uploadImage: { method: 'POST', path: '/v1/file/{serviceTypeOrFileKey}' },
  deleteFile: { method: 'DELETE', path: '/v1/file/{serviceTypeOrFileKey}' },
  uploadImageOfKind: { method: 'POST', path: '/v1/file/{serviceType}/{msgType}' },
  uploadImageOfSubkind: { method: 'POST', path: '/v1/file/{serviceType}/{msgType}/{subType}' },
  registerForm: { method: 'POST', path: '/v1/form' },
  showForm: { method: 'GET', path: '/v1/form/{formId}' },
  changeForm: { method: 'PUT', path: '/v1/form/{formId}' },
  deleteForm: { method: 'DELETE', path: '/v1/form/{formId}' },
  pollReports: { method: 'GET', path: '/v1/report/polling' },
  acknowledgeReports: { method: 'DELETE', path: '/v1/report/polling/{reportId}' },
  findReports: { method: 'GET', path: '/v1/report/inquiry/{msgKey}' },
  searchMessages: { method: 'POST', path: '/v1/message/search' },
  showMessage: { method: 'GET', path: '/v1/message/{msgKey}' },
  streamReports: { method: 'GET', path: '/v1/report/stream' },
  moveConsumer: { method: 'POST', path: '/v1/report/stream/{consumer}' },
  pollReplies: { method: 'GET', path: '/v1/replies' },
  acknowledgeReplies: { method: 'DELETE', path: '/v1/replies/{batchId}' },
  streamReplies: { method: 'GET', path: '/v1/replies/stream' },
  moveReplyConsumer: { method: 'POST', path: '/v1/replies/stream/{consumer}' },
  showUsage: { method: 'GET', path: '/v1/usage' },
  suppress: { method: 'POST', path: '/v1/suppression' },
  searchSuppression: { method: 'POST', path: '/v1/suppression/search' },
  removeSuppression: { method: 'POST', path: '/v1/suppression/remove' },
  reportConversion: { method: 'POST', path: '/v1/conversion' },
  createWebhook: { method: 'POST', path: '/v1/webhook' },
  listWebhooks: { method: 'GET', path: '/v1/webhook' },
  showWebhook: { method: 'GET', path: '/v1/webhook/{webhookId}' },
  changeWebhook: { method: 'PUT', path: '/v1/webhook/{webhookId}' },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhook/{webhookId}' },
  testWebhook: { method: 'POST', path: '/v1/webhook/{webhookId}/test' },
  rotateWebhook: { method: 'POST', path: '/v1/webhook/{webhookId}/rotate' },
  replayWebhook: { method: 'POST', path: '/v1/webhook/{webhookId}/replay' },
  listDeliveries: { method: 'GET', path: '/v1/webhook/{webhookId}/deliveries' },
}
