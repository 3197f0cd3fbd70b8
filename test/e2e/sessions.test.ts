import { scene } from './harness';

scene('a closed session is in the list of sessions and opens again', {}, async ({ workbench, chat, openChat }) => {
  await openChat();
  await chat.send('/text of the one that is closed');
  await chat.untilIdle();
  await workbench.runCommand('Parley: Close Session');
  await chat.page.getByRole('region', { name: 'Start' }).waitFor();
  await workbench.runCommand('Parley: Open Session…');
  await workbench.pick('of the one that is closed');
  await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
});
