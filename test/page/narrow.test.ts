import { useBrowser } from './chat';
import { testLooks } from './look';
import { askingForCommand, askingForEdit, showCrowd } from './narrowSamples';

/* The page at the width at which VS Code opens the side bar, about 290 px, and in short panels. */

const browser = useBrowser();

testLooks(browser, [
  { name: 'narrow-busy', widths: [240, 290, 1200], reach: (chat) => showCrowd(chat) },
  { name: 'narrow-edit', widths: [240, 290, 1200], reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-command', widths: [240, 290], height: 600, reach: (chat) => showCrowd(chat, [askingForCommand]) },
  { name: 'narrow-450', widths: [290], height: 450, reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-300', widths: [290], height: 300, reach: (chat) => showCrowd(chat) },
]);
