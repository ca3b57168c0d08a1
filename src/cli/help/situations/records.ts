import type {Situation} from '../entry.ts'

/** What colleagues ask of what is written down. */
export const RECORDS: readonly Situation[] = [
  {
    about: 'a copy of what is kept of a customer',
    phrases: `
      data request, gdpr, gdpr copy, gdpr request, subject access, subject access request, access request, data copy,
      copy of data, everything you hold, everything you know, personal data request, right of access`,
    lacks:
      'The service has no operation that hands out all that it keeps of a customer: only the people who run the service can. These show a part of it.',
    steps: [
      {
        does: 'List the cards of the customer, with their addresses',
        words: 'cards list --customer ID -o json',
      },
      {does: 'See the customer in click to pay', words: 'remotecheckout get --customer ID'},
      {does: 'See what was done from here', words: 'history customer ID'},
    ],
  },
  {
    about: 'a page on paper or as a PDF',
    phrases: 'pdf, paper, print page, print report',
    lacks: 'cardctl writes no PDF: open the page in a browser, and print it to one.',
    steps: [
      {does: 'Write a page about a shift', words: 'report shift --html FILE'},
      {does: 'Write a page about a batch of transfers', words: 'report batch ID --html FILE'},
    ],
  },
  {
    about: 'the end of a shift',
    phrases: 'hand over, handover, end of shift, boss, manager, yesterday',
    steps: [{does: 'Report what was done, and what is open', words: 'report shift'}],
  },
  {
    about: 'a note on what was done',
    phrases: 'note, notes, forgot note, add note, note later, note missing, forgot reason, reason later',
    lacks: 'A note cannot be added later. Write it where the ticket is, with the id of the request.',
    steps: [
      {does: 'Find the id of the request', words: 'requests list'},
      {
        does: 'Next time, give the note with the change',
        words: 'accounts limit ID AMOUNT --type TYPE --note TEXT --ticket ID',
      },
    ],
  },
]
