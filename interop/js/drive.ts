/** Runs every operation of the JavaScript SDK, in the order in which a customer uses them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as sdk from '@infobank/infobank-omni-sdk-js'
import { attempt, attemptFaulty, must } from './attempt.ts'
import { brandFlow, carouselFlow } from './bubbles.ts'
import * as flows from './flows.ts'
import * as messages from './messages.ts'
import { collectReports } from './reports.ts'

const { INTEROP_URL: baseURL = '', INTEROP_CLIENT_ID: id, INTEROP_PASSWORD: password } = process.env
const images = process.env.INTEROP_IMAGES ?? ''

const token = await attempt('token', async () => {
  const options = { baseURL, ...(id === undefined || password === undefined ? {} : { id, password }) }
  const answer = await new sdk.OMNI(options).auth!.getToken()
  const { token: given } = answer.data as { token: string }
  must(answer.code === 'A000' && given.length > 0, `code ${answer.code}`)
  return given
})
if (token === undefined) process.exit(0)

const { send, file, form, polling, report } = new sdk.OMNI({ baseURL, token }) as Required<sdk.OMNI>
const msgKeys: string[] = []

const imageOf = (name: string) => new Blob([readFileSync(join(images, name))], { type: 'image/jpeg' })

/** As its README does: the form itself is given as the request. */
async function upload(operation: string, name: string, path: Parameters<typeof file.uploadFile>[0]) {
  return attempt(operation, async () => {
    const body = new FormData()
    body.append('file', imageOf(name), name)
    const answer = await file.uploadFile(path, body as never)
    must(answer.code === 'A000', `code ${answer.code}`)
    const { fileKey, media, imgUrl } = answer.data as Record<
      'fileKey' | 'media' | 'imgUrl',
      string | undefined
    >
    // An MMS refers to its file by key, RCS by media, Kakao by address.
    const reference = path.serviceType === 'MMS' ? fileKey : path.serviceType === 'RCS' ? media : imgUrl
    must(reference !== undefined && reference !== '', `no reference in ${JSON.stringify(answer.data)}`)
    return reference!
  })
}

async function sendOne(operation: string, run: () => Promise<{ code: string; msgKey: string }>) {
  await attempt(operation, async () => {
    const { code, msgKey } = await run()
    must(code === 'A000' && msgKey.length > 0, `code ${code}, msgKey '${msgKey}'`)
    msgKeys.push(msgKey)
  })
}

async function sendFlow(operation: string, makeFlow: () => object[] | { messageForm: string }) {
  await attempt(operation, async () => {
    const { code, data } = await send.OMNI(flows.omni(makeFlow()))
    const { destinations } = data as { destinations: { code: string; result: string; msgKey: string }[] }
    const refused = destinations.find((destination) => destination.code !== 'A000')
    must(code === 'A000' && destinations.length === 2, `code ${code}, ${destinations.length} destinations`)
    must(refused === undefined, `${refused?.code} ${refused?.result}`)
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
await attemptFaulty('upload MMS, by its builder', () => {
  const body = new sdk.FileRequestBodyBuilder().setFile(imageOf('mms.jpg') as never).build()
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

await attemptFaulty('send international, 200 characters', () =>
  send.International(new sdk.InternationalRequestBodyBuilder().setText('a'.repeat(200)).build()),
)
await attemptFaulty('send mms, 1000 Korean characters', () =>
  send.MMS(new sdk.MMSRequestBodyBuilder().setText('가'.repeat(1000)).build()),
)

const formBody = () => ({
  messageForm: new sdk.MessageFormBuilder()
    .setSMS(new sdk.SMSBuilder().setFrom(messages.from).setText('Dear #{name}').build())
    .build() as never,
})
// Without a form the other operations run too: their answers show the reason.
const formId =
  (await attempt('form: register', async () => {
    const { code, data } = await form.registForm(formBody())
    must(code === 'A000', `code ${code}`)
    return (data as { formId: string }).formId
  })) ?? 'none'
await attempt('form: read', async () => {
  const { code, data } = await form.getFormData(formId)
  must(code === 'A000' && 'messageForm' in data, `code ${code}, ${JSON.stringify(data)}`)
})
await attempt('form: modify', async () => {
  const { code } = await form.modifyForm(formId, formBody())
  must(code === 'A000', `code ${code}`)
})
await sendFlow('send omni by form', () => ({ messageForm: formId }))
await attempt('form: delete', async () => {
  const { code } = await form.deleteForm(formId)
  must(code === 'A000', `code ${code}`)
})

await collectReports(polling, report, msgKeys)
