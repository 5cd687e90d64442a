/** Texts of test messages. */
import { defineTexts } from '../../../texts/texts.ts'

export const testTexts = defineTexts(
  {
    open: 'Send a test message',
    title: 'Send a test message?',
    effect:
      'It is checked, limited, counted and reported as a message that the account sends. Over the route of a carrier it reaches the phone.',
    account: 'Account',
    channel: 'Channel',
    sms: 'SMS',
    mms: 'LMS (long text)',
    international: 'International SMS',
    from: 'Sender',
    fromHint: 'A number that the account may use.',
    to: 'Recipient',
    toHint: 'Use a phone of your own.',
    route: (id: string) => `It would take the route ${id}.`,
    noRoute: 'No route would take it now; it waits for one, or fails.',
    text: 'Text',
    sample: 'Test message',
    send: 'Send',
  },
  {
    open: '테스트 메시지 보내기',
    title: '테스트 메시지를 보낼까요?',
    effect:
      '계정이 보낸 메시지와 똑같이 검사, 제한, 집계되고 리포트도 전달됩니다. 통신사 라우트를 이용하면 실제 휴대폰에 도착합니다.',
    account: '계정',
    channel: '채널',
    sms: 'SMS',
    mms: 'LMS(장문)',
    international: '국제 SMS',
    from: '발신번호',
    fromHint: '계정이 쓸 수 있는 번호입니다.',
    to: '수신번호',
    toHint: '본인의 휴대폰 번호를 사용하세요.',
    route: (id) => `라우트 ${id}을(를) 이용합니다.`,
    noRoute: '지금 이용할 라우트가 없습니다. 대기하거나 실패합니다.',
    text: '내용',
    sample: '테스트 메시지',
    send: '보내기',
  },
)
