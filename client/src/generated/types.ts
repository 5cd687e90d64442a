/** The schemas of requests and responses.
 * Generated from the definitions in gateway/src/edge/api/reference; change the source and run `npm run generate`. */

/** One sms message */
export type SmsMessage = {
  /** Sender number, digits only */
  readonly from: string
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** Content, at most 90 bytes */
  readonly text: string
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
}

/** One mms message */
export type MmsMessage = {
  /** Sender number, digits only */
  readonly from: string
  /** Content, at most 2000 bytes */
  readonly text: string
  /** Title, at most 40 bytes */
  readonly title?: string | undefined
  /** Keys of uploaded images, at most 3; an MMS with one, an LMS without */
  readonly fileKey?: readonly string[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** One international message */
export type InternationalMessage = {
  /** Registered sender: a Korean number (digits only), a number of another country with + and its country code, or a sender ID of 3 to 11 letters, digits, spaces and & . _ - with at least one letter. Only a Korean number may send to +82. A route may replace the sender by country */
  readonly from: string
  /** Recipient with a leading + and country code. A message to +82 is sent as a domestic SMS, or as an LMS if it is longer than 90 bytes */
  readonly to: string
  /** Content, at most 5 parts */
  readonly text: string
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** One RCS message; one of content and body is needed */
export type RcsMessage = {
  /** Sender number, digits only */
  readonly from: string
  /** RCS message format ID, or an issued template ID */
  readonly formatId: string
  readonly content?: RcsContent | undefined
  readonly body?: RcsBody | undefined
  /** Carrier-standard buttons, only with body */
  readonly buttons?: readonly RcsCardButtons[] | undefined
  /** RCS brand ID */
  readonly brandId?: string | undefined
  /** Default: 1 */
  readonly expiryOption?: RcsExpiryOption | undefined
  /** Show the advertisement mark: 0 = hidden, 1 = shown, and then footer must be given. Default: 0 */
  readonly header?: ZeroOne | undefined
  /** Opt-out number shown at the bottom, at most 100 characters */
  readonly footer?: string | undefined
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** RCS brand key */
  readonly brandKey: string
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
  readonly fallback?: RcsFallback | undefined
}

/** One alimtalk message */
export type AlimtalkMessage = {
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: AlimtalkType
  /** Code of an approved template, at most 50 characters */
  readonly templateCode: string
  /** Content, at most 1000 characters; 700 beside an item list */
  readonly text: string
  /** Title, at most 50 characters */
  readonly title?: string | undefined
  /** Heading, at most 16 characters */
  readonly header?: string | undefined
  readonly link?: AlimtalkLink | undefined
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** Buttons, at most 5 */
  readonly button?: readonly KakaoButton[] | undefined
  readonly fallback?: KakaoFallback | undefined
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** One friendtalk message */
export type FriendtalkMessage = {
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: FriendtalkType
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** Content: at most 1000 characters with FT, 400 with FI, 76 with FW and FP; none with the others */
  readonly text: string
  /** Address of an uploaded image, needed with FI and FW */
  readonly imgUrl?: string | undefined
  /** Buttons, at most 5; 2 with FW */
  readonly button?: readonly KakaoButton[] | undefined
  /** Whether it is marked as an advertisement, Y by default; always Y with FL, FC and FA */
  readonly adFlag?: YesNo | undefined
  readonly fallback?: KakaoFallback | undefined
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** One brandmessage message */
export type BrandmessageMessage = {
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: KakaoBubbleType
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  /** Content: at most 1000 characters with FT, 400 with FI, 76 with FW and FP; none with the others */
  readonly text?: string | undefined
  /** Address of an uploaded image, needed with FI and FW */
  readonly imgUrl?: string | undefined
  /** Buttons, at most 5 with FT and FI, 2 with FW, FL and FM, 1 with FP */
  readonly button?: readonly KakaoButton[] | undefined
  /** Whether it is for adults, N by default */
  readonly adult?: YesNo | undefined
  /** Whether the phone notifies its user, Y by default */
  readonly pushAlarm?: YesNo | undefined
  /** Key of a group tag, at most 40 characters */
  readonly groupTagKey?: string | undefined
  readonly sendType: BrandmessageSendType
  readonly targeting?: BrandmessageTargeting | undefined
  /** Code of a template, at most 50 characters; needed for basic */
  readonly templateCode?: string | undefined
  /** Variables of the text; basic only */
  readonly messageVariable?: BrandmessageVariables | undefined
  /** Variables of the buttons; basic only */
  readonly buttonVariable?: BrandmessageVariables | undefined
  /** Variables of the coupon; basic only */
  readonly couponVariable?: BrandmessageVariables | undefined
  /** Images of the template; basic only */
  readonly imageVariable?: KakaoImage | readonly KakaoImage[] | undefined
  /** Variables of the video; basic only */
  readonly videoVariable?: BrandmessageVariables | undefined
  /** Variables of the product; basic only */
  readonly commerceVariable?: BrandmessageVariables | undefined
  /** Variables of the cards; basic only */
  readonly carouselVariable?: BrandmessageVariables | readonly BrandmessageVariables[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Free opt-out number, at most 13 digits and hyphens */
  readonly unsubscribePhoneNumber?: string | undefined
  /** Opt-out code, at most 10 characters */
  readonly unsubscribeAuthNumber?: string | undefined
  readonly fallback?: KakaoFallback | undefined
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** Recipients, and either messageFlow or messageForm */
export type OmniRequest = OmniFlowRequest | OmniFormRequest

/** A flow of messages and its recipients */
export type OmniFlowRequest = {
  /** Recipients, at most 10 */
  readonly destinations: readonly OmniDestination[]
  /** Messages in send order. At most 6; when one fails, the next is sent. */
  readonly messageFlow: readonly FlowStep[]
  /** Billing department code */
  readonly paymentCode?: string | undefined
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** A registered form and its recipients */
export type OmniFormRequest = {
  /** Recipients, at most 10 */
  readonly destinations: readonly OmniDestination[]
  /** Id of a registered form, instead of messageFlow */
  readonly messageForm: string
  /** Billing department code */
  readonly paymentCode?: string | undefined
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
}

/** A recipient */
export type OmniDestination = {
  /** Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678 */
  readonly to: string
  readonly replaceWords?: ReplaceWords | undefined
}

/** Values for the placeholders #{key}; numbers and booleans are converted to strings */
export type ReplaceWords = Readonly<Record<string, string>>

/** The messages to register */
export type FormRequest = {
  /** Messages in send order, as in messageFlow of an omni send. Texts may contain placeholders #{key}, which are replaced by the replaceWords of each destination. At most 6; when one fails, the next is sent. */
  readonly messageForm: readonly FlowStep[]
}

/** One part named file */
export type UploadRequest = {
  /** The image, with a file name of at most 40 characters. The service determines its formats, dimensions and bytes, see above; they are detected from the content, not from the name. */
  readonly file: Blob
}

/** One message of a flow: an object with exactly one of 6 channels */
export type FlowStep =
  | SmsFlowStep
  | MmsFlowStep
  | RcsFlowStep
  | AlimtalkFlowStep
  | FriendtalkFlowStep
  | BrandmessageFlowStep

/** A step by sms */
export type SmsFlowStep = { readonly sms: SmsStep }

/** A step by mms */
export type MmsFlowStep = { readonly mms: MmsStep }

/** A step by rcs */
export type RcsFlowStep = { readonly rcs: RcsStep }

/** A step by alimtalk */
export type AlimtalkFlowStep = { readonly alimtalk: AlimtalkStep }

/** A step by friendtalk */
export type FriendtalkFlowStep = { readonly friendtalk: FriendtalkStep }

/** A step by brandmessage */
export type BrandmessageFlowStep = { readonly brandmessage: BrandmessageStep }

/** A sms message in a flow */
export type SmsStep = {
  /** Sender number, digits only */
  readonly from: string
  /** Content, at most 90 bytes */
  readonly text: string
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
}

/** A mms message in a flow */
export type MmsStep = {
  /** Sender number, digits only */
  readonly from: string
  /** Content, at most 2000 bytes */
  readonly text: string
  /** Title, at most 40 bytes */
  readonly title?: string | undefined
  /** Keys of uploaded images, at most 3; an MMS with one, an LMS without */
  readonly fileKey?: readonly string[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
}

/** An RCS message; one of content and body is needed */
export type RcsStep = {
  /** Sender number, digits only */
  readonly from: string
  /** RCS message format ID, or an issued template ID */
  readonly formatId: string
  readonly content?: RcsContent | undefined
  readonly body?: RcsBody | undefined
  /** Carrier-standard buttons, only with body */
  readonly buttons?: readonly RcsCardButtons[] | undefined
  /** RCS brand ID */
  readonly brandId?: string | undefined
  /** Default: 1 */
  readonly expiryOption?: RcsExpiryOption | undefined
  /** Show the advertisement mark: 0 = hidden, 1 = shown, and then footer must be given. Default: 0 */
  readonly header?: ZeroOne | undefined
  /** Opt-out number shown at the bottom, at most 100 characters */
  readonly footer?: string | undefined
  /** RCS brand key */
  readonly brandKey?: string | undefined
  /** Group of messages, for statistics */
  readonly groupId?: string | undefined
  /** Whether the recipient may copy the message: 0 = no, 1 = yes. Default: 0 */
  readonly copyAllowed?: ZeroOne | undefined
  /** Agency ID; the operator's own when absent */
  readonly agencyId?: string | undefined
  /** Agency key */
  readonly agencyKey?: string | undefined
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
}

/** A alimtalk message in a flow */
export type AlimtalkStep = {
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: AlimtalkType
  /** Code of an approved template, at most 50 characters */
  readonly templateCode: string
  /** Content, at most 1000 characters; 700 beside an item list */
  readonly text: string
  /** Title, at most 50 characters */
  readonly title?: string | undefined
  /** Heading, at most 16 characters */
  readonly header?: string | undefined
  readonly link?: AlimtalkLink | undefined
  readonly attachment?: AlimtalkAttachment | undefined
  readonly supplement?: AlimtalkSupplement | undefined
  /** Amount named in the text, as digits */
  readonly price?: string | undefined
  readonly currencyType?: AlimtalkCurrency | undefined
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
}

/** A friendtalk message in a flow */
export type FriendtalkStep = {
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: KakaoBubbleType
  /** Content: at most 1000 characters with FT, 400 with FI, 76 with FW and FP; none with the others */
  readonly text?: string | undefined
  /** Heading, at most 20 characters; needed with FL, optional with FP */
  readonly header?: string | undefined
  readonly attachment?: KakaoAttachment | undefined
  readonly carousel?: KakaoCarousel | undefined
  /** Small print, at most 34 characters; FM only */
  readonly additionalContent?: string | undefined
  /** Whether it is marked as an advertisement, Y by default; always Y with FL, FC and FA */
  readonly adFlag?: YesNo | undefined
  /** Whether it is for adults, N by default */
  readonly adult?: YesNo | undefined
  /** Whether the phone notifies its user, Y by default */
  readonly pushAlarm?: YesNo | undefined
  /** Key of a group tag, at most 40 characters */
  readonly groupTagKey?: string | undefined
}

/** A brandmessage message in a flow */
export type BrandmessageStep = {
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
  /** Sender profile key, at most 40 characters */
  readonly senderKey: string
  readonly msgType: KakaoBubbleType
  /** Content: at most 1000 characters with FT, 400 with FI, 76 with FW and FP; none with the others */
  readonly text?: string | undefined
  /** Heading, at most 20 characters; needed with FL, optional with FP */
  readonly header?: string | undefined
  readonly attachment?: KakaoAttachment | undefined
  readonly carousel?: KakaoCarousel | undefined
  /** Small print, at most 34 characters; FM only */
  readonly additionalContent?: string | undefined
  /** Whether it is marked as an advertisement, Y by default; always Y with FL, FC and FA */
  readonly adFlag?: YesNo | undefined
  /** Whether it is for adults, N by default */
  readonly adult?: YesNo | undefined
  /** Whether the phone notifies its user, Y by default */
  readonly pushAlarm?: YesNo | undefined
  /** Key of a group tag, at most 40 characters */
  readonly groupTagKey?: string | undefined
  readonly sendType: BrandmessageSendType
  readonly targeting?: BrandmessageTargeting | undefined
  /** Code of a template, at most 50 characters; needed for basic */
  readonly templateCode?: string | undefined
  /** Variables of the text; basic only */
  readonly messageVariable?: BrandmessageVariables | undefined
  /** Variables of the buttons; basic only */
  readonly buttonVariable?: BrandmessageVariables | undefined
  /** Variables of the coupon; basic only */
  readonly couponVariable?: BrandmessageVariables | undefined
  /** Images of the template; basic only */
  readonly imageVariable?: KakaoImage | readonly KakaoImage[] | undefined
  /** Variables of the video; basic only */
  readonly videoVariable?: BrandmessageVariables | undefined
  /** Variables of the product; basic only */
  readonly commerceVariable?: BrandmessageVariables | undefined
  /** Variables of the cards; basic only */
  readonly carouselVariable?: BrandmessageVariables | readonly BrandmessageVariables[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Free opt-out number, at most 13 digits and hyphens */
  readonly unsubscribePhoneNumber?: string | undefined
  /** Opt-out code, at most 10 characters */
  readonly unsubscribeAuthNumber?: string | undefined
}

/** Exactly one of standalone, carousel and template, as the format asks */
export type RcsContent = {
  readonly standalone?: RcsStandalone | undefined
  /** Cards in order */
  readonly carousel?: readonly RcsCard[] | undefined
  readonly template?: RcsTemplate | undefined
}

/** A message of one card */
export type RcsStandalone = {
  /** Content */
  readonly text?: string | undefined
  /** Title */
  readonly title?: string | undefined
  /** Image: media or fileKey of an upload */
  readonly media?: string | undefined
  /** Address opened by a tap on the image; a single backslash shows it in full */
  readonly mediaUrl?: string | undefined
  /** Buttons in order */
  readonly button?: readonly RcsButton[] | undefined
  /** Sub-infos in order */
  readonly subContent?: readonly RcsSubContent[] | undefined
}

/** One card of a carousel */
export type RcsCard = {
  /** Content */
  readonly text?: string | undefined
  /** Title */
  readonly title?: string | undefined
  /** Image: media or fileKey of an upload */
  readonly media?: string | undefined
  /** Address opened by a tap on the image; a single backslash shows it in full */
  readonly mediaUrl?: string | undefined
  /** Buttons in order */
  readonly button?: readonly RcsButton[] | undefined
}

/** Values for an issued template: these fields and any key registered with it */
export type RcsTemplate = Readonly<Record<string, string>>

/** A button; `type` says which other fields it needs */
export type RcsButton = {
  readonly type: RcsButtonType
  /** Label */
  readonly name: string
  /** URL: the page or app to open */
  readonly url?: string | undefined
  /** MAP_LOC: name shown at the place */
  readonly label?: string | undefined
  /** MAP_LOC: decimal degrees, -90 to 90 */
  readonly latitude?: string | undefined
  /** MAP_LOC: decimal degrees, -180 to 180 */
  readonly longitude?: string | undefined
  /** MAP_LOC, MAP_QRY: page to open where there is no map app */
  readonly fallbackUrl?: string | undefined
  /** MAP_QRY: what to search for */
  readonly query?: string | undefined
  /** CALENDAR: yyyy-MM-dd'T'HH:mm:ssXXX */
  readonly startTime?: string | undefined
  /** CALENDAR: yyyy-MM-dd'T'HH:mm:ssXXX */
  readonly endTime?: string | undefined
  /** CALENDAR: title of the event */
  readonly title?: string | undefined
  /** CALENDAR: description of the event */
  readonly description?: string | undefined
  /** COPY, COM_T: the text to copy or to begin a message with */
  readonly text?: string | undefined
  /** COM_T, COM_V, DIAL: digits */
  readonly phoneNumber?: string | undefined
}

/** A sub-info */
export type RcsSubContent = {
  /** Title of the sub-info */
  readonly subTitle?: string | undefined
  /** Text of the sub-info */
  readonly subDesc?: string | undefined
  /** Image of the sub-info: media or fileKey of an upload */
  readonly subMedia?: string | undefined
  /** Address opened by a tap on that image */
  readonly subMediaUrl?: string | undefined
}

/** Carrier-standard fields; which keys, the formatId says */
export type RcsBody = Readonly<Record<string, string | RcsBodyObject>>

/** An object that the carriers define */
export type RcsBodyObject = Readonly<Record<string, unknown>>

/** Carrier-standard buttons of one card; empty for a card without any */
export type RcsCardButtons = {
  /** Buttons of one card */
  readonly suggestions?: readonly RcsSuggestion[] | undefined
}

/** A button: an action or a reply */
export type RcsSuggestion = {
  readonly action?: RcsSuggestedAction | undefined
  readonly reply?: RcsSuggestedAction | undefined
}

/** The label and one carrier-standard action */
export type RcsSuggestedAction = {
  /** Label */
  readonly displayText: string
  readonly postback?: RcsPostback | undefined
  readonly [name: string]: unknown
}

/** Postback */
export type RcsPostback = {
  /** Given back when tapped */
  readonly data: string
}

/** Message sent if the RCS send fails */
export type RcsFallback = {
  /** Kind of message */
  readonly type: FallbackType
  /** Content, at most 2000 bytes */
  readonly text: string
  /** Title, at most 40 bytes */
  readonly title?: string | undefined
  /** Uploaded files, at most 3 */
  readonly fileKey?: readonly string[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Sender number; the RCS message's own when absent */
  readonly from?: string | undefined
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
}

/** Text message sent when this one fails */
export type KakaoFallback = {
  readonly type: FallbackType
  /** Sender number, digits only */
  readonly from: string
  /** Content, at most 2000 bytes; an SMS of more than 90 is sent as LMS */
  readonly text: string
  /** Title, at most 40 bytes; shown by MMS only */
  readonly title?: string | undefined
  /** Keys of uploaded images, at most 3; an SMS with images is sent as MMS */
  readonly fileKey?: readonly string[] | undefined
  /** Registration number of the first sending business, 9 digits unless the operator of the service says otherwise */
  readonly originCID?: string | undefined
  /** Time limit for the delivery in seconds, 1 to 259200, as digits; 86400 by default */
  readonly ttl?: string | undefined
}

/** Parts beside the text; msgType determines which are allowed */
export type KakaoAttachment = {
  /** Buttons: at most 5 with FT and FI (4 beside a coupon), 2 with FW, FL and FM, 1 with FP */
  readonly button?: readonly KakaoButton[] | undefined
  readonly image?: KakaoImage | undefined
  readonly item?: KakaoWideItems | undefined
  readonly coupon?: KakaoCoupon | undefined
  readonly commerce?: KakaoCommerce | undefined
  readonly video?: KakaoVideo | undefined
}

/** Button */
export type KakaoButton = {
  readonly type: KakaoButtonType
  /** Label, at most 14 characters; 8 on wide bubbles and cards */
  readonly name: string
  /** Address opened on a phone */
  readonly urlMobile?: string | undefined
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
  /** Handed over when the chat moves to a consultant or bot */
  readonly chatExtra?: string | undefined
  /** Bot event the chat moves to */
  readonly chatEvent?: string | undefined
  /** With WL: out opens the web browser outside the app */
  readonly target?: string | undefined
  /** Key of a business form; BF needs it or bizFormId */
  readonly bizFormKey?: string | undefined
  /** Id of a business form; BF needs it or bizFormKey */
  readonly bizFormId?: string | undefined
  /** Plugin id */
  readonly pluginId?: string | undefined
  /** Handed over to the plugin */
  readonly relayId?: string | undefined
  /** One-click payment id */
  readonly oneclickId?: string | undefined
  /** One-click product id */
  readonly productId?: string | undefined
}

/** Image */
export type KakaoImage = {
  /** Address of an uploaded image */
  readonly imgUrl: string
  /** Address opened by a tap; the image viewer if absent */
  readonly imgLink?: string | undefined
}

/** Video */
export type KakaoVideo = {
  /** Kakao TV address, at most 500 characters */
  readonly videoUrl: string
  /** Thumbnail address, at most 500 characters */
  readonly thumbnailUrl?: string | undefined
}

/** Wide item list */
export type KakaoWideItems = {
  /** Items, 3 to 4 */
  readonly list: readonly KakaoWideItem[]
}

/** Item */
export type KakaoWideItem = {
  /** Address opened on a phone */
  readonly urlMobile: string
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
  /** Title, at most 30 characters, the first 25 */
  readonly title: string
  /** Address of an uploaded image */
  readonly imgUrl: string
}

/** Carousel, needed with FC and FA */
export type KakaoCarousel = {
  readonly head?: KakaoCarouselHead | undefined
  /** Cards, 2 to 10 */
  readonly list: readonly KakaoCarouselCard[]
  readonly tail?: KakaoCarouselTail | undefined
}

/** Opening card, not with FC */
export type KakaoCarouselHead = {
  /** Heading, at most 20 characters */
  readonly header: string
  /** Text, at most 50 characters */
  readonly content: string
  /** Address of an uploaded image */
  readonly imageUrl: string
  /** Address opened on a phone */
  readonly urlMobile?: string | undefined
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
}

/** Card */
export type KakaoCarouselCard = {
  /** Heading, at most 20 characters; required with FC, not allowed with FA */
  readonly header?: string | undefined
  /** Text, at most 180 characters; required with FC, not allowed with FA */
  readonly message?: string | undefined
  /** Small print, at most 34 characters; not with FC */
  readonly additionalContent?: string | undefined
  readonly attachment: KakaoCarouselAttachment
}

/** Image, buttons, coupon; with FA also the product */
export type KakaoCarouselAttachment = {
  readonly image: KakaoImage
  /** Buttons, 1 to 2 */
  readonly button?: readonly KakaoButton[] | undefined
  readonly coupon?: KakaoCoupon | undefined
  readonly commerce?: KakaoCommerce | undefined
}

/** Link to more */
export type KakaoCarouselTail = {
  /** Address opened on a phone */
  readonly urlMobile: string
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
}

/** Product and price */
export type KakaoCommerce = {
  /** Product, at most 30 characters */
  readonly title: string
  /** Regular price, 0 to 99999999 */
  readonly regularPrice: number
  /** Discounted price, 0 to 99999999 */
  readonly discountPrice?: number | undefined
  /** Percent taken off, 0 to 100 */
  readonly discountRate?: number | undefined
  /** Amount taken off, 0 to 999999 */
  readonly discountFixed?: number | undefined
}

/** Coupon */
export type KakaoCoupon = {
  /** One of: <number>원 할인 쿠폰, <number>% 할인 쿠폰, 배송비 할인 쿠폰, <up to 7 characters> 무료 쿠폰, <up to 7 characters> UP 쿠폰 */
  readonly title: string
  /** At most 12 characters; 18 with FW, FL and FP */
  readonly description: string
  /** Address opened on a phone */
  readonly urlMobile?: string | undefined
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
}

/** Values by variable */
export type BrandmessageVariables = Readonly<Record<string, unknown>>

/** Buttons and item list */
export type AlimtalkAttachment = {
  /** Buttons, at most 5 */
  readonly button?: readonly KakaoButton[] | undefined
  readonly item?: AlimtalkItems | undefined
  readonly itemHighlight?: AlimtalkHighlight | undefined
}

/** Quick replies */
export type AlimtalkSupplement = {
  /** Quick replies, at most 5 */
  readonly quickReply?: readonly AlimtalkQuickReply[] | undefined
}

/** Item list */
export type AlimtalkItems = {
  /** Items, 2 to 10 */
  readonly list: readonly AlimtalkItem[]
  readonly summary?: AlimtalkSummary | undefined
}

/** Item */
export type AlimtalkItem = {
  /** At most 6 characters */
  readonly title: string
  /** At most 23 characters */
  readonly description?: string | undefined
}

/** Summary line */
export type AlimtalkSummary = {
  /** At most 6 characters */
  readonly title: string
  /** Amount, at most 14 characters: currency sign or code, digits , . and spaces */
  readonly description: string
}

/** Highlight above the item list */
export type AlimtalkHighlight = {
  /** At most 30 characters, 21 with AI */
  readonly title?: string | undefined
  /** At most 19 characters, 13 with AI */
  readonly description?: string | undefined
}

/** Where a tap on the message leads */
export type AlimtalkLink = {
  /** Address opened on a phone */
  readonly urlMobile: string
  /** Address opened on a computer */
  readonly urlPc: string
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
}

/** Quick reply */
export type AlimtalkQuickReply = {
  readonly type: KakaoQuickReplyType
  /** Label, at most 14 characters */
  readonly name: string
  /** Address opened on a phone */
  readonly urlMobile?: string | undefined
  /** Address opened on a computer */
  readonly urlPc?: string | undefined
  /** App scheme opened on Android */
  readonly schemeAndroid?: string | undefined
  /** App scheme opened on iOS */
  readonly schemeIos?: string | undefined
  /** Handed over when the chat moves to a consultant or bot */
  readonly chatExtra?: string | undefined
  /** Bot event the chat moves to */
  readonly chatEvent?: string | undefined
  /** Key of a business form; BF needs it or bizFormId */
  readonly bizFormKey?: string | undefined
  /** Id of a business form; BF needs it or bizFormKey */
  readonly bizFormId?: string | undefined
}

/** AT text, AI with the image of its template */
export type AlimtalkType = 'AT' | 'AI'

/** Currency of price */
export type AlimtalkCurrency = 'KRW' | 'USD' | 'EUR'

/** FT text, FI image, FW wide image */
export type FriendtalkType = 'FT' | 'FI' | 'FW'

/** basic: a registered template and its variables; free: the content is given here */
export type BrandmessageSendType = 'basic' | 'free'

/** M: recipients who agreed to advertisements; N: those of them who are not friends; I: friends. Needed for basic */
export type BrandmessageTargeting = 'M' | 'N' | 'I'

/** FT text, FI image, FW wide image, FL wide item list, FC carousel feed, FM commerce, FA carousel commerce, FP video */
export type KakaoBubbleType = 'FT' | 'FI' | 'FW' | 'FL' | 'FC' | 'FM' | 'FA' | 'FP'

/** What a tap does */
export type KakaoButtonType = 'WL' | 'AL' | 'BK' | 'MD' | 'DS' | 'BC' | 'BT' | 'AC' | 'BF'

/** What a tap does */
export type KakaoQuickReplyType = 'WL' | 'AL' | 'BK' | 'BC' | 'BT' | 'BF' | 'MD'

/** What the button does */
export type RcsButtonType =
  | 'URL'
  | 'MAP_LOC'
  | 'MAP_QRY'
  | 'MAP_SEND'
  | 'CALENDAR'
  | 'COPY'
  | 'COM_T'
  | 'COM_V'
  | 'DIAL'

/** Send time-out: 1 = 24 hours, 2 = 40 seconds, 3 = 3 minutes 10 seconds, 4 = 1 hour. Default: 1 */
export type RcsExpiryOption = '1' | '2' | '3' | '4'

/** Kind of text message */
export type FallbackType = 'SMS' | 'MMS'

/** Y or N */
export type YesNo = 'Y' | 'N'

/** 0: no, 1: yes. Default: 0 */
export type ZeroOne = '0' | '1'

/** unknown: the message may have been delivered, and sending it again may deliver it twice */
export type ReportOutcome = 'delivered' | 'failed' | 'unknown'

/** closed: its outcome is final */
export type MessageState = 'open' | 'closed'

/** open: in flight, without reports; also every key of the last day that is not recorded yet. closed: its outcome is final. unknown: the account has no such message. Only for accounts with full report keys */
export type InquiryState = 'open' | 'closed' | 'unknown'

/** A step to come is sent only when the steps before it fail */
export type MessageStepState = 'to come' | 'under way' | 'ended'

/** Whether the recipient opted out of advertisements, or agreed to them */
export type SuppressionState = 'suppressed' | 'agreed' | 'none'

/** What holds for the recipients now; unchanged where the keyword says nothing */
export type SuppressionChange = 'suppressed' | 'none' | 'unchanged'

/** What it receives: reports, or replies of recipients. It cannot be changed. */
export type WebhookEvents = 'reports' | 'replies'

/** status: any 2xx acknowledges a push. msgKey: only 200 with {"msgKey":"<same>"} acknowledges a report, and {"replyId":"<same>"} a reply. */
export type WebhookAcknowledgement = 'status' | 'msgKey'

/** Kind of notice */
export type WebhookNoticeType = 'webhook.disabled'

/** Why it is disabled */
export type WebhookDisableReason = 'owner' | 'gone' | 'failing' | 'unproved'

/** Response to a token request */
export type TokenResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: TokenData
}

/** The token and its expiry */
export type TokenData = {
  /** Scheme to put before the token in the Authorization header: Bearer */
  readonly schema: string
  /** When the token expires, after 24 hours */
  readonly expired: string
  /** Access token; an opaque string */
  readonly token: string
}

/** Response to a send */
export type SendResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  /** Key of the message; its reports carry it */
  readonly msgKey: string
  /** ref of the request; absent when the request has none */
  readonly ref?: string | undefined
}

/** Response to an omni send */
export type OmniResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: OmniData
  /** ref of the request; absent when the request has none */
  readonly ref?: string | undefined
}

/** Result of each destination */
export type OmniData = {
  /** In the order of the request */
  readonly destinations: readonly DestinationResult[]
}

/** Result of one destination */
export type DestinationResult = {
  /** Recipient as the request gave it */
  readonly to: string
  /** Key of the message; empty unless code is A000 */
  readonly msgKey: string
  /** Result of this destination; A000 when it was accepted */
  readonly code: string
  /** Description of the result */
  readonly result: string
  readonly acceptance?: DestinationAcceptance | undefined
}

/** Whether a destination whose code is not A000 may have been accepted; omitted for A000; only for accounts with full report keys */
export type DestinationAcceptance = 'no' | 'perhaps'

/** Response to a send with dryRun=true */
export type DryRunResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: DryRunData
}

/** What a send of this request would do */
export type DryRunData = {
  /** In the order of the request */
  readonly destinations: readonly DryRunDestination[]
  /** Problems of the request as a whole */
  readonly problems: readonly DryRunProblem[]
  /** Number of problems that are not listed */
  readonly omittedProblems: number
}

/** Result of one destination */
export type DryRunDestination = {
  /** Recipient; a Korean number of an international send in its domestic form */
  readonly to: string
  /** A000 when this destination would be accepted, else its first problem */
  readonly code: string
  /** Description of the result */
  readonly result: string
  /** Steps in order, without steps whose content is invalid */
  readonly steps: readonly DryRunStep[]
  /** What rules will hold, delay or skip, as far as known now; empty when the message would be sent unchanged, or not accepted */
  readonly ruleEffects: readonly DryRunEffect[]
  /** All problems of this destination */
  readonly problems: readonly DryRunProblem[]
}

/** What a rule will do with the accepted message */
export type DryRunEffect = {
  /** Trust rule, as named in docs/reference/rules.md */
  readonly rule: string
  readonly effect: DryRunEffectKind
  /** Position in the flow, from 1; null for the whole message */
  readonly step: number | null
  /** When a delayed step may be sent; null for other effects */
  readonly notBefore: string | null
  /** What the rule demands */
  readonly reason: string
}

/** held: the message waits until an operator decides. delayed: the step waits until notBefore. skipped: the step ends without being sent, and the next one starts immediately */
export type DryRunEffectKind = 'held' | 'delayed' | 'skipped'

/** A step as it would be sent */
export type DryRunStep = {
  /** Position in the flow, from 1; the fallback of a simple send is 2 */
  readonly step: number
  /** Channel of the step */
  readonly channel: string
  /** Message type, as reports will name it */
  readonly msgType: string
  /** Whether a route serves the step for this account and recipient; null when that is not known now */
  readonly hasRoute: boolean | null
  /** Text as it would be sent, with plain equivalents of characters that carriers cannot encode; of RCS the texts of all cards */
  readonly text: string
  /** gsm7, ucs2 or cp949; null if the carrier decides */
  readonly encoding: string | null
  /** Bytes of the text; null if the channel does not count bytes */
  readonly bytes: number | null
  /** Characters of the text, in UTF-16 units, as it would be sent */
  readonly characters: number
  /** Parts that would be sent and billed */
  readonly parts: number
  /** Seconds after which the step counts as failed */
  readonly deadlineSeconds: number
}

/** A problem */
export type DryRunProblem = {
  /** Result code of the problem */
  readonly code: string
  /** Path of the field; empty when it is the request as a whole */
  readonly field: string
  /** What is wrong with it */
  readonly reason: string
}

/** A flow for many recipients: exactly one of messageFlow and messageForm is required */
export type BatchRequest = {
  /** Reference of the client, returned in reports */
  readonly ref?: string | undefined
  /** Messages in send order. At most 6; when one fails, the next is sent. */
  readonly messageFlow?: readonly FlowStep[] | undefined
  /** Id of a registered form, instead of messageFlow */
  readonly messageForm?: string | undefined
  /** Billing department code */
  readonly paymentCode?: string | undefined
  /** Time before which no message is created, at most 60 days ahead */
  readonly startAt?: string | undefined
  /** Time after which the remaining lines are cancelled */
  readonly endBy?: string | undefined
  /** Messages per second; by default as fast as the routes send them */
  readonly speed?: number | undefined
  readonly hours?: BatchHours | undefined
  /** drop: only the first line of each recipient is sent; the default */
  readonly duplicates?: BatchDuplicates | undefined
  /** Part 1 of the recipients, at most 1000 */
  readonly recipients?: readonly BatchRecipient[] | undefined
  /** true: the batch is checked and started; requires recipients */
  readonly start?: boolean | undefined
}

/** A recipient of a batch */
export type BatchRecipient = {
  /** Recipient number, as in sends */
  readonly to: string
  /** Reference of the message, instead of that of the batch */
  readonly ref?: string | undefined
  /** Values for the placeholders #{key}, at most 8192 characters with their names; numbers and booleans are converted to strings */
  readonly replaceWords?: ReplaceWords | undefined
}

/** Hours of the day in which messages are created */
export type BatchHours = {
  /** First minute, such as 09:00, in the time zone of the service */
  readonly from: string
  /** Minute before which the last message is created, such as 20:00 */
  readonly to: string
}

/** open: accepts recipients. checking: every line is checked. ready: checked and not started. running: messages are created, or wait for their time or their reports. paused, cancelled: no further message is submitted. ended: every line has its result */
export type BatchState = 'open' | 'checking' | 'ready' | 'running' | 'paused' | 'cancelled' | 'ended'

/** Whether repeated recipients are dropped or kept */
export type BatchDuplicates = 'drop' | 'keep'

/** Every line is in exactly one of waiting, duplicate, refused, cancelled and messages */
export type BatchCounts = {
  /** Uploaded lines: the sum of the next five */
  readonly lines: number
  /** Lines without a result yet */
  readonly waiting: number
  /** Lines whose recipient an earlier line has */
  readonly duplicate: number
  /** Lines that a send would refuse */
  readonly refused: number
  /** Lines without a message, because the batch was cancelled or endBy has passed */
  readonly cancelled: number
  /** Lines with a message: open ones and those with an outcome */
  readonly messages: number
  /** Messages without an outcome yet */
  readonly open: number
}

/** Counts by code */
export type BatchCodeCounts = Readonly<Record<string, number>>

/** A batch */
export type Batch = {
  /** Id of the batch */
  readonly batchId: string
  /** ref of the request; absent when it had none */
  readonly ref?: string | undefined
  readonly state: BatchState
  /** When it was created */
  readonly createdAt: string
  /** startAt of the request */
  readonly startAt?: string | undefined
  /** endBy of the request */
  readonly endBy?: string | undefined
  /** Messages per second; by default as fast as the routes send them */
  readonly speed?: number | undefined
  readonly hours?: BatchHours | undefined
  /** drop: only the first line of each recipient is sent */
  readonly duplicates: BatchDuplicates
  readonly counts: BatchCounts
  /** Refused lines by result code */
  readonly codes: BatchCodeCounts
  /** Closed messages by the report code of their last report */
  readonly outcomes: BatchCodeCounts
}

/** Response to a request for a batch, or to a change */
export type BatchResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: Batch
}

/** Response to a request for the batches */
export type BatchListResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: BatchListData
}

/** A page of batches */
export type BatchListData = {
  /** Batches, newest first */
  readonly batches: readonly Batch[]
  /** There are more: the value of `after` for the request that returns them */
  readonly next?: string | undefined
}

/** Response to an upload of recipients */
export type BatchPartResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: BatchPartData
}

/** The stored part */
export type BatchPartData = {
  /** Id of the batch */
  readonly batchId: string
  /** Number of the part */
  readonly part: number
  /** Recipients in the part */
  readonly lines: number
}

/** The reference of the batches and scheduled messages to cancel */
export type CancelRequest = {
  /** The whole `ref` */
  readonly ref: string
  /** true: nothing is cancelled, only counted */
  readonly dryRun?: boolean | undefined
}

/** Response to a cancellation by ref */
export type CancelledResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: CancelledData
}

/** The numbers of cancelled batches and messages */
export type CancelledData = {
  /** Batches with the ref that had not ended */
  readonly batches: number
  /** Scheduled messages with the ref that belong to no batch */
  readonly messages: number
}

/** Response to an upload */
export type UploadResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: UploadData
}

/** References to the file for sends */
export type UploadData = {
  /** Key of the file, for fileKey of MMS sends */
  readonly fileKey: string
  /** When the file expires for sends: yyyy-MM-dd HH:mm:ss, in the time zone of all other times */
  readonly expired: string
  /** RCS only: the value for media of a send (maapfile://…) */
  readonly media?: string | undefined
  /** Friendtalk and brandmessage only: the value for imgUrl of a send */
  readonly imgUrl?: string | undefined
}

/** Response to the registration or change of a form */
export type RegisteredFormResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: RegisteredFormData
}

/** The form and its expiry */
export type RegisteredFormData = {
  /** Id of the form, for messageForm of omni sends */
  readonly formId: string
  /** When the form expires, a year after its last change */
  readonly expired: string
}

/** Response to a request for a form */
export type FoundFormResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: FoundFormData
}

/** The form */
export type FoundFormData = {
  /** Id of the form, for messageForm of omni sends */
  readonly formId: string
  /** The messages as they were registered, in order */
  readonly messageForm: readonly FlowStep[]
  /** When the form expires, a year after its last change */
  readonly expired: string
}

/** Messages whose code was used */
export type ConversionRequest = {
  /** Messages whose code was used; at most 100 */
  readonly msgKey: readonly string[]
}

/** Response to a report of used codes */
export type ConversionResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: ConversionData
}

/** What was counted */
export type ConversionData = {
  /** How many were counted: codes of the account that were not reported before. Messages that are not recorded yet, or without a code, are not */
  readonly counted: number
}

/** Recipients to suppress */
export type SuppressionRequest = {
  /** Recipients, as in sends; at most 1000 */
  readonly to: readonly string[]
  /** A text that the recipient has sent. STOP and the like suppress, START removes; any other text changes nothing. Without it the recipients are suppressed. */
  readonly keyword?: string | undefined
  /** Kept with the entry */
  readonly reason?: string | undefined
}

/** A recipient */
export type SuppressionRecipient = {
  /** The recipient, as in sends */
  readonly to: string
}

/** Response to a change of the list */
export type SuppressionChangedResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: SuppressionChangedData
}

/** What changed */
export type SuppressionChangedData = {
  readonly state: SuppressionChange
  /** Recipients for whom that is new */
  readonly changed: number
  /** Recipients who stay suppressed because they opted out at their carrier, or because the operator of the service has entered them; the recipient at its carrier, or the operator, takes it back */
  readonly kept: number
}

/** Response to the lookup of a recipient */
export type SuppressionResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: SuppressionData
}

/** What the list of the account has of the recipient */
export type SuppressionData = {
  readonly state: SuppressionState
  /** Since when, null where nothing is known */
  readonly since: string | null
  /** api, keyword, reply, carrier or operator */
  readonly source: string | null
}

/** Response to polling */
export type PollResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: PollData
}

/** A batch of reports; the same one until it is acknowledged */
export type PollData = {
  /** Acknowledges the batch; empty when there is nothing to report */
  readonly reportId: string
  /** Reports in order, at most 1000; empty when there are none */
  readonly report: readonly Report[]
}

/** Response to an inquiry */
export type InquiryResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: InquiryData
  readonly state?: InquiryState | undefined
}

/** The reports of one message */
export type InquiryData = {
  /** One report per step tried: the outcome of the message first, then the steps before it in order; empty while there is none */
  readonly report: readonly Report[]
}

/** The outcome of one step of a message */
export type Report = {
  /** Key of the message */
  readonly msgKey: string
  /** Recipient; a Korean number in its domestic form. Absent once it is erased; only for accounts with full report keys */
  readonly to?: string | undefined
  /** Position of the step in the flow of the message; only for accounts with full report keys */
  readonly step?: number | undefined
  /** Whether this report is the outcome of the message: false if the report of another step follows. Only for accounts with full report keys */
  readonly last?: boolean | undefined
  /** SMS, MMS, INTERNATIONAL, RCS, ALIMTALK, FRIENDTALK or BRANDMESSAGE */
  readonly serviceType: string
  /** Kind of message within the service, such as SM, LM, AT or FI */
  readonly msgType: string
  /** When it was submitted to the carrier, or when it ended without a submission; absent for accounts with minimal report keys */
  readonly sendTime?: string | undefined
  /** When its outcome was known */
  readonly reportTime: string
  /** Kind of report: 0 */
  readonly reportType: string
  /** Result of the step */
  readonly reportCode: ReportCode
  /** What became of the step. unknown: it may have been delivered, and sending it again may deliver it twice. Only for accounts with full report keys */
  readonly outcome?: ReportOutcome | undefined
  /** What reportCode means */
  readonly reportText: string
  /** Mobile carrier: 10001 SKT, 10002 KT, 10003 LGU; 10000 another or unknown */
  readonly carrier: string
  /** Number of parts an international message was split into; only for accounts with part counts enabled, and not with minimal report keys */
  readonly resCnt?: string | undefined
  /** Inquiry only, basic brand messages only: F when the recipient was a friend of the channel, else N. Absent for accounts with minimal report keys */
  readonly userType?: string | undefined
  /** ref of the send; empty when it had none */
  readonly ref: string
}

/** Result of a step, five digits. `x-report-codes` has the cause and the next action of each code; codes may be added.
 *
 * - 10000 (delivered): Delivered
 * - 22000 (unknown): No delivery within the time allowed
 * - 22002 (failed): Radio failure
 * - 22003 (failed): Phone switched off
 * - 22004 (failed): Message memory of the phone full
 * - 22005 (failed): Phone in a shadow area
 * - 22006 (failed): Temporary failure at the carrier
 * - 23000 (failed): Delivery failed
 * - 23001 (failed): No such subscriber
 * - 23003 (failed): Wrong recipient number
 * - 23006 (failed): Refused by the carrier
 * - 23010 (failed): Not supported by the phone
 * - 23012 (failed): Blocked as spam
 * - 23016 (failed): Attachment not acceptable
 * - 23023 (failed): Sender number not registered
 * - 23025 (failed): Duplicate message
 * - 23029 (failed): Advertisement in barred hours
 * - 23034 (failed): Wrong file key
 * - 23036 (failed): Wrong originCID
 * - 32000 (unknown): No delivery within the time allowed
 * - 32002 (failed): Radio failure
 * - 32003 (failed): Phone switched off
 * - 32004 (failed): Message memory of the phone full
 * - 32005 (failed): Phone in a shadow area
 * - 32006 (failed): Temporary failure at the carrier
 * - 33000 (failed): Delivery failed
 * - 33001 (failed): No such subscriber
 * - 33003 (failed): Wrong recipient number
 * - 33006 (failed): Refused by the carrier
 * - 33012 (failed): Blocked as spam
 * - 33023 (failed): Sender number not registered
 * - 33025 (failed): Duplicate message
 * - 33029 (failed): Advertisement in barred hours
 * - 33036 (failed): Wrong originCID
 * - 33101 (failed): The phone does not support RCS
 * - 33102 (failed): Header or footer not acceptable
 * - 33103 (failed): Header or footer not acceptable
 * - 33104 (failed): Header or footer not acceptable
 * - 33105 (failed): Header or footer not acceptable
 * - 33106 (failed): Header or footer not acceptable
 * - 33107 (failed): Header or footer not acceptable
 * - 33109 (failed): Title not acceptable
 * - 33110 (failed): Text not acceptable
 * - 33111 (failed): Buttons not acceptable
 * - 33120 (failed): Attachment not acceptable
 * - 33121 (failed): Wrong messagebase
 * - 33200 (failed): Wrong brand
 * - 61003 (failed): Wrong sender key
 * - 61006 (failed): Sender profile deleted
 * - 61007 (failed): Sender profile blocked
 * - 61011 (failed): No contract found
 * - 61021 (failed): Channel blocked
 * - 61022 (failed): Channel closed
 * - 61023 (failed): Channel deleted
 * - 61024 (failed): Channel about to be deleted
 * - 61025 (failed): Channel restricted
 * - 61027 (failed): Messages of the channel restricted
 * - 63005 (unknown): No confirmation from the messenger
 * - 63008 (failed): Wrong recipient number
 * - 63013 (failed): Message empty
 * - 63014 (failed): Message too long
 * - 63015 (failed): Template not found
 * - 63016 (failed): Text differs from the template
 * - 63018 (failed): The recipient cannot receive messages
 * - 63019 (failed): Not a user of the messenger
 * - 63020 (failed): Blocked by the recipient
 * - 63021 (failed): The messenger of the recipient is too old
 * - 63022 (failed): Advertisement in barred hours
 * - 63024 (failed): Attachment not acceptable
 * - 63025 (failed): Variable too long
 * - 63026 (failed): Extra or event of a button too long
 * - 63027 (failed): Buttons differ from the template
 * - 63028 (failed): Title differs from the template
 * - 63029 (failed): Title too long
 * - 63030 (failed): Type differs from the template
 * - 63031 (failed): Header differs from the template
 * - 63032 (failed): Header too long
 * - 63033 (failed): Item highlight differs from the template
 * - 63034 (failed): Title of the item highlight too long
 * - 63035 (failed): Description of the item highlight too long
 * - 63036 (failed): Items differ from the template
 * - 63037 (failed): Description of an item too long
 * - 63038 (failed): Item summary differs from the template
 * - 63039 (failed): Description of the item summary too long
 * - 63040 (failed): Item summary with a wrong character
 * - 64008 (failed): The account has no right
 * - 64133 (failed): Template stopped
 * - 69999 (failed): Delivery failed
 * - 90000 (failed): No route for this message
 * - 90010 (failed): Cancelled before sending
 * - 90011 (failed): The account is stopped
 * - 90012 (failed): The recipient has opted out
 * - 90013 (failed): Cap of the account reached
 * - 90014 (failed): Wrong form of an advertisement
 * - 99999 (unknown): The carrier never reported an outcome */
export type ReportCode = string

/** Response to a request for the report stream */
export type StreamResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: StreamData
}

/** Reports after the requested position */
export type StreamData = {
  /** Position to continue from; unchanged when there was no report */
  readonly cursor: string
  /** Reports in order; empty when there are none */
  readonly report: readonly Report[]
}

/** Position of the consumer */
export type StreamPosition = {
  /** The cursor returned with the last records processed */
  readonly cursor: string
}

/** A text that a recipient has sent to you */
export type ReplyRecord = {
  /** Id of the reply, the same wherever it is read */
  readonly replyId: string
  /** SMS, MMS or RCS */
  readonly serviceType: string
  /** Number of the recipient who has written, in the form of `to` of a send */
  readonly from: string
  /** Your number, chatbot or brand that it was sent to */
  readonly to: string
  /** Text of the reply */
  readonly text: string
  /** When it was sent */
  readonly replyTime: string
  /** Number of parts it was sent in */
  readonly partCnt: string
  /** N when a part has not arrived in ten minutes: the text then has a gap; otherwise Y */
  readonly complete: string
  /** opt-out or opt-in when the text is such a word, which is recorded; otherwise empty */
  readonly choice: string
}

/** Response to polling for replies */
export type ReplyBatchResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: ReplyBatchData
}

/** A batch of replies; the same one until it is acknowledged */
export type ReplyBatchData = {
  /** Acknowledges the batch; empty when there is no reply */
  readonly batchId: string
  /** Replies in order, at most 1000; empty when there are none */
  readonly reply: readonly ReplyRecord[]
}

/** Response to a request for the stream of replies */
export type ReplyStreamResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: ReplyStreamData
}

/** Replies after the requested position */
export type ReplyStreamData = {
  /** Position to continue from; unchanged when there was no reply */
  readonly cursor: string
  /** Replies in order; empty when there are none */
  readonly reply: readonly ReplyRecord[]
}

/** A search for messages */
export type MessageSearchRequest = {
  /** Messages accepted at or after this time: ISO 8601 with an offset */
  readonly since: string
  /** Messages accepted before this time, at most 31 days after `since`; default: now */
  readonly until?: string | undefined
  /** The whole `ref` of the send */
  readonly ref?: string | undefined
  /** Recipient, as in sends: digits, or + and the country code */
  readonly to?: string | undefined
  /** open: without an outcome yet. closed: with its outcome */
  readonly state?: MessageState | undefined
  /** Maximum number of messages on a page. Default: 50 */
  readonly limit?: number | undefined
  /** `cursor` of the page before. Repeat the other fields unchanged */
  readonly cursor?: string | undefined
}

/** Response to a search of messages */
export type MessageListResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: MessageListData
}

/** A page of messages; it may be short or empty and still have a cursor */
export type MessageListData = {
  /** Messages, newest first, at most 200 */
  readonly message: readonly ListedMessage[]
  /** Continues the list; absent on the last page */
  readonly cursor?: string | undefined
}

/** A message of the account */
export type ListedMessage = {
  /** Key of the message */
  readonly msgKey: string
  /** Recipient; empty once erased */
  readonly to: string
  /** ref of the send; absent when it had none */
  readonly ref?: string | undefined
  /** When it was accepted */
  readonly acceptedAt: string
  readonly state: MessageState
  /** Channel of the last report; absent while the message is open */
  readonly serviceType?: string | undefined
  /** Code of the last report; absent while the message is open */
  readonly reportCode?: ReportCode | undefined
  /** What became of the message. unknown: it may have been delivered, and sending it again may deliver it twice. Absent while it is open */
  readonly outcome?: ReportOutcome | undefined
}

/** Response to a request for a message */
export type MessageResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: MessageData
}

/** The timeline of the message, without its text */
export type MessageData = {
  /** Key of the message */
  readonly msgKey: string
  /** Recipient; empty once erased */
  readonly to: string
  readonly state: MessageState
  readonly outcome?: MessageOutcome | undefined
  /** What to do next */
  readonly action: string
  /** Every step of the flow */
  readonly steps: readonly MessageStep[]
  /** What happened, in order */
  readonly events: readonly MessageEvent[]
}

/** How the message ended, with an explanation */
export type MessageOutcome = {
  /** Result of the step */
  readonly code: ReportCode
  /** What the code means */
  readonly text: string
  /** The usual cause */
  readonly cause: string
  /** What to do next */
  readonly action: string
}

/** One step of the flow */
export type MessageStep = {
  /** Position in the flow, from 1 */
  readonly step: number
  /** As in reports */
  readonly serviceType: string
  readonly state: MessageStepState
  /** Result of the step */
  readonly code?: ReportCode | undefined
  /** What the code means */
  readonly text?: string | undefined
}

/** One event in the life of the message */
export type MessageEvent = {
  /** When it happened */
  readonly at: string
  /** Number of the step; absent for the message as a whole */
  readonly step?: number | undefined
  /** accepted, held, submitted, receipt, deadline, fallback, open or closed */
  readonly kind: string
  /** The event in words */
  readonly text: string
  /** The carrier's own code, which its support asks for */
  readonly carrierCode?: string | undefined
}

/** Response to a request for the usage */
export type UsageResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: UsageData
}

/** Closed messages among those accepted on these days */
export type UsageData = {
  /** Sorted by the groupings in `by` */
  readonly usage: readonly Usage[]
  /** There are more rows: the value of `after` for the request that returns them */
  readonly next?: string | undefined
}

/** Counts of one combination of the groupings in `by` */
export type Usage = {
  /** In the time zone of all times here */
  readonly day?: string | undefined
  /** sms, mms, international, rcs, alimtalk and so on */
  readonly channel?: string | undefined
  /** Mobile carrier, as in reports */
  readonly carrier?: string | undefined
  /** delivered, failed, expired, unknown (the carrier never said) or cancelled */
  readonly outcome?: string | undefined
  /** paymentCode of the send; empty when it had none */
  readonly paymentCode?: string | undefined
  /** Messages whose last step this was */
  readonly messages: number
  /** Steps tried, which is the number of reports */
  readonly steps: number
  /** Parts of those steps */
  readonly parts: number
}

/** A webhook */
export type WebhookRequest = {
  /** Public https URL that receives the reports by POST; http only where the operator allows it */
  readonly url: string
  /** A name of your choice */
  readonly name?: string | undefined
  /** Maximum number of pushes per second. Default: 100 */
  readonly perSecond?: number | undefined
  /** Maximum number of concurrent pushes. Default: 10 */
  readonly concurrency?: number | undefined
  /** Seconds to wait for a response. Default: 5 */
  readonly timeoutSeconds?: number | undefined
  /** Default: status */
  readonly acknowledgement?: WebhookAcknowledgement | undefined
  /** Whether it receives a notice when another webhook of the account is disabled. Default: true */
  readonly notices?: boolean | undefined
  /** Whether reports are pushed. A webhook that is enabled again continues where it stopped, up to 3 days back. Default: true */
  readonly enabled?: boolean | undefined
  /** Default: reports */
  readonly events?: WebhookEvents | undefined
  /** Signing secret: whsec_ followed by 24 to 64 bytes in base64. Generated when omitted. */
  readonly secret?: string | undefined
}

/** Settings to change; omitted ones keep their value */
export type WebhookChange = {
  /** Public https URL that receives the reports by POST; http only where the operator allows it */
  readonly url?: string | undefined
  /** A name of your choice */
  readonly name?: string | undefined
  /** Maximum number of pushes per second */
  readonly perSecond?: number | undefined
  /** Maximum number of concurrent pushes */
  readonly concurrency?: number | undefined
  /** Seconds to wait for a response */
  readonly timeoutSeconds?: number | undefined
  readonly acknowledgement?: WebhookAcknowledgement | undefined
  /** Whether it receives a notice when another webhook of the account is disabled */
  readonly notices?: boolean | undefined
  /** Whether reports are pushed. A webhook that is enabled again continues where it stopped, up to 3 days back. */
  readonly enabled?: boolean | undefined
}

/** A new secret */
export type WebhookRotation = {
  /** Signing secret: whsec_ followed by 24 to 64 bytes in base64. Generated when omitted. */
  readonly secret?: string | undefined
  /** Hours during which the previous secret signs as well. Default: 24 */
  readonly keepPreviousHours?: number | undefined
}

/** What to push again: exactly one of msgKey, failedSince and allSince */
export type WebhookReplay = WebhookReplayOfMessage | WebhookReplayOfFailed | WebhookReplayOfAll

/** The reports of a message, or a reply */
export type WebhookReplayOfMessage = {
  /** The reports of one message, or a reply by its replyId */
  readonly msgKey: string
}

/** Pushes that failed */
export type WebhookReplayOfFailed = {
  /** Pushes that failed since this time and are not acknowledged: ISO 8601 with an offset */
  readonly failedSince: string
}

/** All reports, or all replies */
export type WebhookReplayOfAll = {
  /** All reports since this time: ISO 8601 with an offset */
  readonly allSince: string
}

/** A webhook and its current state */
export type Webhook = {
  /** Id of the webhook */
  readonly webhookId: string
  /** Public https URL that receives the reports by POST; http only where the operator allows it */
  readonly url: string
  /** A name of your choice */
  readonly name: string
  /** Maximum number of pushes per second */
  readonly perSecond: number
  /** Maximum number of concurrent pushes */
  readonly concurrency: number
  /** Seconds to wait for a response */
  readonly timeoutSeconds: number
  readonly acknowledgement: WebhookAcknowledgement
  /** Whether it receives a notice when another webhook of the account is disabled */
  readonly notices: boolean
  /** Whether reports are pushed. A webhook that is enabled again continues where it stopped, up to 3 days back. */
  readonly enabled: boolean
  readonly events: WebhookEvents
  /** Why it is disabled: owner (by PUT), gone (the URL answered 410), failing (every push failed for too long), unproved (enable it by PUT when its receiver has the secret); empty when enabled */
  readonly disabledReason: string
  /** When it was disabled; empty when it does not apply */
  readonly disabledTime: string
  /** Since when every push has failed; empty when it does not apply */
  readonly failingSince: string
  /** Until when the previous secret signs as well; empty when it does not apply */
  readonly previousSecretUntil: string
  /** Reports, or replies, that have not been pushed yet */
  readonly behind: number
  /** Pushes that failed and will be retried; counted up to 1000 */
  readonly retrying: number
  /** Abandoned pushes of the last 3 days; counted up to 1000 */
  readonly givenUp: number
  /** When it was created */
  readonly created: string
}

/** One push */
export type WebhookTry = {
  /** When the push ended; to the minute when there was no response */
  readonly time: string
  /** The webhook-id header of the push: msgKey and step, the id of a reply, or that of a notice */
  readonly eventId: string
  /** HTTP status of the response; 0 when there was none */
  readonly httpStatus: number
  /** Duration in milliseconds; the time-out when there was no response */
  readonly ms: number
  /** Why the push failed; empty when it was acknowledged */
  readonly error: string
}

/** A push that is not acknowledged */
export type WebhookFailure = {
  /** The webhook-id header of the push: msgKey and step, the id of a reply, or that of a notice */
  readonly eventId: string
  /** Time of the last attempt */
  readonly failedTime: string
  /** Number of attempts so far */
  readonly tries: number
  /** Time of the next attempt; empty when the push was abandoned */
  readonly retryTime: string
  /** HTTP status of the response; 0 when there was none */
  readonly httpStatus: number
  /** Why the push failed; empty when it was acknowledged */
  readonly error: string
}

/** Response to the creation of a webhook */
export type CreatedWebhookResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: CreatedWebhookData
}

/** The webhook and its secret */
export type CreatedWebhookData = {
  /** Id of the webhook */
  readonly webhookId: string
  /** Public https URL that receives the reports by POST; http only where the operator allows it */
  readonly url: string
  /** A name of your choice */
  readonly name: string
  /** Maximum number of pushes per second */
  readonly perSecond: number
  /** Maximum number of concurrent pushes */
  readonly concurrency: number
  /** Seconds to wait for a response */
  readonly timeoutSeconds: number
  readonly acknowledgement: WebhookAcknowledgement
  /** Whether it receives a notice when another webhook of the account is disabled */
  readonly notices: boolean
  /** Whether reports are pushed. A webhook that is enabled again continues where it stopped, up to 3 days back. */
  readonly enabled: boolean
  readonly events: WebhookEvents
  /** Why it is disabled: owner (by PUT), gone (the URL answered 410), failing (every push failed for too long), unproved (enable it by PUT when its receiver has the secret); empty when enabled */
  readonly disabledReason: string
  /** When it was disabled; empty when it does not apply */
  readonly disabledTime: string
  /** Since when every push has failed; empty when it does not apply */
  readonly failingSince: string
  /** Until when the previous secret signs as well; empty when it does not apply */
  readonly previousSecretUntil: string
  /** Reports, or replies, that have not been pushed yet */
  readonly behind: number
  /** Pushes that failed and will be retried; counted up to 1000 */
  readonly retrying: number
  /** Abandoned pushes of the last 3 days; counted up to 1000 */
  readonly givenUp: number
  /** When it was created */
  readonly created: string
  /** The secret that signs from now on; it is not shown again */
  readonly secret: string
}

/** Response to a request for a webhook, or to a change */
export type WebhookResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  /** The webhook */
  readonly data: Webhook
}

/** Response to a request for the webhooks */
export type WebhooksResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: WebhooksData
}

/** All webhooks */
export type WebhooksData = {
  /** The account's webhooks, at most 20 */
  readonly webhook: readonly Webhook[]
}

/** Response to a test */
export type WebhookTestResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: WebhookTestData
}

/** Result of the test */
export type WebhookTestData = {
  /** Whether the response would acknowledge a report */
  readonly acknowledged: boolean
  /** The webhook-id header of the push: msgKey and step, the id of a reply, or that of a notice */
  readonly eventId: string
  /** When the push ended; to the minute when there was no response */
  readonly time: string
  /** HTTP status of the response; 0 when there was none */
  readonly httpStatus: number
  /** Duration in milliseconds; the time-out when there was no response */
  readonly ms: number
  /** Why the push failed; empty when it was acknowledged */
  readonly error: string
}

/** Response to the rotation of a secret */
export type WebhookSecretResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: WebhookSecretData
}

/** The new secret */
export type WebhookSecretData = {
  /** The secret that signs from now on; it is not shown again */
  readonly secret: string
  /** Until when the previous secret signs as well */
  readonly previousSecretUntil: string
}

/** Response to a replay */
export type WebhookReplayResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: WebhookReplayData
}

/** The replay */
export type WebhookReplayData = {
  /** Number of reports that are pushed again, each with its earlier webhook-id */
  readonly reports: number
}

/** Response to a request for the last pushes */
export type WebhookDeliveriesResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  readonly data: WebhookDeliveriesData
}

/** Results of the last pushes */
export type WebhookDeliveriesData = {
  /** The last 50 pushes, newest first */
  readonly tries: readonly WebhookTry[]
  /** The last 100 pushes that are not acknowledged, newest first */
  readonly failed: readonly WebhookFailure[]
}

/** Another webhook of the account was disabled */
export type WebhookNotice = {
  readonly type: WebhookNoticeType
  /** When it happened */
  readonly timestamp: string
  readonly data: WebhookNoticeData
}

/** The disabled webhook */
export type WebhookNoticeData = {
  /** Id of the disabled webhook */
  readonly webhookId: string
  /** Its URL without path and query */
  readonly url: string
  readonly reason: WebhookDisableReason
}

/** Acknowledges a report */
export type ReportReceipt = {
  /** msgKey of the report */
  readonly msgKey: string
}

/** Acknowledges a reply */
export type ReplyReceipt = {
  /** replyId of the reply */
  readonly replyId: string
}

/** Result code and description */
export type PlainResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
}

/** Result code, description, and the invalid field */
export type ErrorResponse = {
  /** Result code; A000 is success */
  readonly code: string
  /** Description of the result; names an invalid field by its path */
  readonly result: string
  /** Path of the invalid field or parameter, such as destinations[0].to; omitted if the error concerns no field; only for accounts with full report keys */
  readonly field?: string | undefined
}
