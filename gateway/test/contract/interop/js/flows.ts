import * as sdk from '@infobank/infobank-omni-sdk-js'
import { from, kakaoButton, link, standalone, to } from './messages.ts'

/** Builds an omni request with a flow or with the ID of a form. */
export function createOmniRequest(flow: object[] | { messageForm: string }) {
  const builder = new sdk.OMNIRequestBodyBuilder()
    .setDestinations([
      new sdk.DestinationBuilder().setTo(to).setReplaceWords({ name: 'Kim' }).build(),
      new sdk.DestinationBuilder().setTo('01087654321').setReplaceWords({ name: 'Lee' }).build(),
    ])
    .setPaymentCode('D1')
    .setRef('js-omni')
  if (Array.isArray(flow)) builder.setMessageFlow(flow)
  else builder.setMessageForm(flow.messageForm)
  return builder.build()
}

export const textFlow = (fileKey: string) =>
  new sdk.MessageFlowBuilder()
    .setMMS(
      new sdk.MMSBuilder()
        .setFrom(from)
        .setText('Dear #{name}')
        .setTitle('T')
        .setFileKey([fileKey])
        .setTtl('600')
        .build(),
    )
    .setSMS(new sdk.SMSBuilder().setFrom(from).setText('Dear #{name}').setTtl('600').build())
    .build()

export const rcsFlow = () =>
  new sdk.MessageFlowBuilder()
    .setRCS(
      new sdk.RCSBuilder()
        .setFrom(from)
        .setFormatId('SL000000')
        .setBrandKey('BR.key')
        .setContent(new sdk.RCSContentBuilder().setStandaloneContent(standalone()).build())
        .setCopyAllowed('1')
        .setGroupId('group')
        .setTtl('600')
        .build(),
    )
    .build()

export const alimtalkFlow = () => {
  const item = (title: string) =>
    new sdk.AlimtalkItemListBuilder().setTitle(title).setDescription('Words').build()
  const summary = new sdk.AlimtalkSummaryBuilder().setTitle('Sum').setDescription('1,000원').build()
  const attachment = new sdk.AlimtalkAttachmentBuilder()
    .setButton([kakaoButton()])
    .setItem(
      new sdk.AlimtalkItemBuilder()
        .setList([item('One'), item('Two')])
        .setSummary(summary)
        .build(),
    )
    .build()
  const reply = { type: 'WL', name: 'Reply', urlPC: link, urlMobile: link, schemeIOS: 'shop://' }
  return new sdk.MessageFlowBuilder()
    .setAlimtalk(
      new sdk.AlimtalkBuilder()
        .setSenderKey('sender')
        .setMsgType('AT')
        .setTemplateCode('T1')
        .setText('Dear #{name}')
        .setTitle('Title')
        .setAttachment(attachment)
        .setSupplement(new sdk.AlimtalkSupplementBuilder().setQuickReply([reply]).build())
        .setPrice('1000')
        .setCurrencyType('KRW')
        .build(),
    )
    .build()
}
