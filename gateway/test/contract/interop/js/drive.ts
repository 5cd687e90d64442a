/** Runs every operation of the JavaScript SDK in typical order of use. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as sdk from '@infobank/infobank-omni-sdk-js'
import { runOperation, runFaultyOperation, assertThat } from './run-operation.ts'
import { brandFlow, carouselFlow } from './bubbles.ts'
import * as flows from './flows.ts'
import * as messages from './messages.ts'
import { collectSdkReports } from './reports.ts'

const { INTEROP_URL: baseURL = '', INTEROP_CLIENT_ID: id, INTEROP_PASSWORD: password } = process.env
const images = process.env.INTEROP_IMAGES ?? ''

const token = await runOperation('token', async () => {
  const options = { baseURL, ...(id === undefined || password === undefined ? {} : { id, password }) }
  const response = await new sdk.OMNI(options).auth!.getToken()
  const { token: issued } = response.data as { token: string }
  assertThat(response.code === 'A000' && issued.length > 0, `code ${response.code}`)
  return issued
})
// The failure is printed already.
if (token === undefined) process.exit(0)

const { send, file, form, polling, report } = new sdk.OMNI({ baseURL, token }) as Required<sdk.OMNI>
const msgKeys: string[] = []

const readImage = (name: string) => new Blob([readFileSync(join(images, name))], { type: 'image/jpeg' })

/** Passes the form as the request, as in the README of the SDK. */
async function upload(operation: string, name: string, path: Parameters<typeof file.uploadFile>[0]) {
  return runOperation(operation, async () => {
    const body = new FormData()
    body.append('file', readImage(name), name)
    const response = await file.uploadFile(path, body as never)
    assertThat(response.code === 'A000', `code ${response.code}`)
    const { fileKey, media, imgUrl } = response.data as Record<
      'fileKey' | 'media' | 'imgUrl',
      string | undefined
    >
    // MMS messages refer to the file by key, RCS by media, Kakao by URL.
    const reference = path.serviceType === 'MMS' ? fileKey : path.serviceType === 'RCS' ? media : imgUrl
    assertThat(
      reference !== undefined && reference !== '',
      `no reference in ${JSON.stringify(response.data)}`,
    )
    return reference!
  })
}

async function sendOne(operation: string, run: () => Promise<{ code: string; msgKey: string }>) {
  await runOperation(operation, async () => {
    const { code, msgKey } = await run()
    assertThat(code === 'A000' && msgKey.length > 0, `code ${code}, msgKey '${msgKey}'`)
    msgKeys.push(msgKey)
  })
}

async function sendFlow(operation: string, makeFlow: () => object[] | { messageForm: string }) {
  await runOperation(operation, async () => {
    const { code, data } = await send.OMNI(flows.createOmniRequest(makeFlow()))
    const { destinations } = data as { destinations: { code: string; result: string; msgKey: string }[] }
    const refused = destinations.find((destination) => destination.code !== 'A000')
    assertThat(
      code === 'A000' && destinations.length === 2,
      `code ${code}, ${destinations.length} destinations`,
    )
    assertThat(refused === undefined, `${refused?.code} ${refused?.result}`)
    msgKeys.push(...destinations.map(({ msgKey }) => msgKey))
  })
}

const fileKey = (await upload('upload MMS', 'mms.jpg', { serviceType: 'MMS' })) ?? ''
const media = (await upload('upload RCS', 'rcs.jpg', { serviceType: 'RCS' })) ?? ''
const cardMedia = (await upload('upload RCS for a card', 'rcs-card.jpg', { serviceType: 'RCS' })) ?? ''
const friendImage =
  (await upload('upload FRIENDTALK/FI', 'image.jpg', { serviceType: 'FRIENDTALK', msgType: 'FI' })) ?? ''
const friendCard =
  (await upload('upload FRIENDTALK/FC', 'image.jpg', { serviceType: 'FRIENDTALK', msgType: 'FC' })) ?? ''
// The SDK spells `default` as `defalut`.
const brandImage =
  (await upload('upload BRANDMESSAGE/defalut', 'image.jpg', {
    serviceType: 'BRANDMESSAGE',
    msgType: 'defalut',
  })) ?? ''
await upload('upload BRANDMESSAGE/wideItemList/first', 'image.jpg', {
  serviceType: 'BRANDMESSAGE',
  msgType: 'wideItemList',
  subType: 'first',
})
await runFaultyOperation('upload MMS, by its builder', () => {
  const body = new sdk.FileRequestBodyBuilder().setFile(readImage('mms.jpg') as never).build()
  return file.uploadFile({ serviceType: 'MMS' }, body)
})

await sendOne('send sms', () => send.SMS(messages.sms()))
await sendOne('send mms without files', () => send.MMS(messages.mms()))
await sendOne('send mms', () => send.MMS(messages.mms(fileKey)))
await sendOne('send international', () => send.International(messages.international()))
await sendOne('send rcs standalone', () => send.RCS(messages.rcsStandalone(media)))
await sendOne('send rcs carousel', () => send.RCS(messages.rcsCarousel(cardMedia)))
await sendOne('send rcs template', () => send.RCS(messages.rcsTemplate()))
await sendOne('send rcs body and buttons', () => send.RCS(messages.rcsBody()))
await sendOne('send alimtalk', () => send.Alimtalk(messages.alimtalk()))
await sendOne('send friendtalk', () => send.Friendtalk(messages.friendtalk(friendImage)))
await sendOne('send brandmessage', () => send.BrandMessage(messages.brandmessage(brandImage)))
await sendFlow('send omni: mms, sms', () => flows.textFlow(fileKey))
await sendFlow('send omni: rcs', () => flows.rcsFlow())
await sendFlow('send omni: alimtalk, items, quick reply', () => flows.alimtalkFlow())
await sendFlow('send omni: friendtalk, carousel', () => carouselFlow(friendCard))
await sendFlow('send omni: brandmessage, commerce', () => brandFlow(brandImage))

await runFaultyOperation('send international, 200 characters', () =>
  send.International(new sdk.InternationalRequestBodyBuilder().setText('a'.repeat(200)).build()),
)
await runFaultyOperation('send mms, 1000 Korean characters', () =>
  send.MMS(new sdk.MMSRequestBodyBuilder().setText('가'.repeat(1000)).build()),
)

const formBody = () => ({
  messageForm: new sdk.MessageFormBuilder()
    .setSMS(new sdk.SMSBuilder().setFrom(messages.from).setText('Dear #{name}').build())
    .build() as never,
})
// If registration fails, run the other form operations anyway: their responses show the reason.
const formId =
  (await runOperation('form: register', async () => {
    const { code, data } = await form.registForm(formBody())
    assertThat(code === 'A000', `code ${code}`)
    return (data as { formId: string }).formId
  })) ?? 'none'
await runOperation('form: read', async () => {
  const { code, data } = await form.getFormData(formId)
  assertThat(code === 'A000' && 'messageForm' in data, `code ${code}, ${JSON.stringify(data)}`)
})
await runOperation('form: modify', async () => {
  const { code } = await form.modifyForm(formId, formBody())
  assertThat(code === 'A000', `code ${code}`)
})
await sendFlow('send omni by form', () => ({ messageForm: formId }))
await runOperation('form: delete', async () => {
  const { code } = await form.deleteForm(formId)
  assertThat(code === 'A000', `code ${code}`)
})

await collectSdkReports(polling, report, msgKeys)
