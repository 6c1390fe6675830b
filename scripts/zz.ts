import { launchEditor } from './editor';
import { startVirtualScreen } from './virtualScreen';
const screen = await startVirtualScreen();
for (let i = 0; i < 3; i++) {
  const editor = await launchEditor({ photo: process.argv[2], display: screen.display });
  const { page } = editor;
  await page.locator('[data-testid=result-tag][data-quality=exact][data-busy=false]').waitFor({ timeout: 60000 });
  await page.waitForTimeout(300);
  console.log(await page.evaluate(`[...document.fonts].filter(f=>f.status!=='unloaded').map(f=>f.family+' '+f.status+' '+f.unicodeRange.slice(0,12)).join(' | ') + ' ' + performance.getEntriesByType('resource').map(r=>r.name.split('/').pop()+':'+r.responseStatus).join(' ')`));
  await editor.close();
}
await screen.close();
