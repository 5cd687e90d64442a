import { defineTexts } from '../../../texts/texts.ts'

export const testTexts = defineTexts(
  {
    open: 'Send a test message',
    title: 'Send a test message?',
    effect:
      'The message is checked, limited, counted and reported like any other message of the account. Over a carrier route it reaches the phone.',
    account: 'Account',
    channel: 'Channel',
    sms: 'SMS',
    mms: 'LMS (long text)',
    international: 'International SMS',
    from: 'Sender',
    fromHint: 'A number registered for the account.',
    to: 'Recipient',
    toHint: 'Use your own phone.',
    route: (id: string) => `It would use route ${id}.`,
    noRoute: 'No route serves it now. It would wait or fail.',
    text: 'Text',
    sample: 'Test message',
    send: 'Send',
  },
  {
    open: '테스트 메시지 보내기',
    title: '테스트 메시지를 보낼까요?',
    effect:
      '계정의 다른 메시지와 똑같이 검사, 제한, 집계되고 리포트도 전달됩니다. 통신사 라우트를 이용하면 실제 휴대폰에 도착합니다.',
    account: '계정',
    channel: '채널',
    sms: 'SMS',
    mms: 'LMS(장문)',
    international: '국제 SMS',
    from: '발신번호',
    fromHint: '계정에 등록된 번호입니다.',
    to: '수신번호',
    toHint: '본인의 휴대폰 번호를 사용하세요.',
    route: (id) => `${id} 라우트를 이용합니다.`,
    noRoute: '지금 처리할 라우트가 없습니다. 대기하거나 실패합니다.',
    text: '내용',
    sample: '테스트 메시지',
    send: '보내기',
  },
)
