import { describe, expect, it } from 'vitest';
import type { ImageInfo } from '../../../core/document';
import { setParameter } from '../../../core/edits';
import { createEditor, createPageStore, selectedFilter, stackOf } from '../../../renderer/store';

const picture: ImageInfo = {
  id: 1,
  name: 'a.png',
  width: 4,
  height: 4,
  channels: 3,
  alpha: false,
  sampleType: 'u16',
  format: 'png',
  profile: 'sRGB',
  fileBytes: 1,
  warnings: [],
};

function setUp() {
  const store = createPageStore();
  const editor = createEditor(store);
  editor.showPicture(picture);
  editor.add('gaussian');
  const id = stackOf(store.getState())[0]?.id ?? '';
  const sigma = () => {
    const filter = selectedFilter(store.getState());
    return filter?.kind === 'gaussian' ? filter.sigma : null;
  };
  return { store, editor, id, sigma, steps: () => store.getState().history.past.length };
}

describe('gestures', () => {
  it('a drag of many changes is one undo step', () => {
    const { editor, id, sigma, steps } = setUp();
    const before = steps();
    editor.gesture('begin');
    for (const value of [3.1, 3.2, 3.9, 4.5]) editor.edit((stack) => setParameter(stack, id, 'sigma', value));
    expect(sigma()).toBe(4.5);
    editor.gesture('end');
    expect(steps()).toBe(before + 1);
    editor.undo();
    expect(sigma()).toBe(3);
    editor.redo();
    expect(sigma()).toBe(4.5);
  });
  it('a gesture without a change is no step, and a cancelled one leaves nothing', () => {
    const { editor, id, sigma, steps } = setUp();
    const before = steps();
    editor.gesture('begin');
    editor.gesture('end');
    expect(steps()).toBe(before);
    editor.gesture('begin');
    editor.edit((stack) => setParameter(stack, id, 'sigma', 9));
    editor.gesture('cancel');
    expect([sigma(), steps()]).toEqual([3, before]);
  });
  it('changes outside a gesture are a step each', () => {
    const { editor, id, steps } = setUp();
    const before = steps();
    editor.edit((stack) => setParameter(stack, id, 'sigma', 5));
    editor.edit((stack) => setParameter(stack, id, 'sigma', 6));
    expect(steps()).toBe(before + 2);
  });
});

describe('the document', () => {
  it('a refused edit changes nothing and becomes a message that stays', () => {
    const { store, editor } = setUp();
    const before = store.getState().history;
    expect(
      editor.edit(() => {
        throw new Error('no');
      }),
    ).toBe(false);
    expect(store.getState().history).toBe(before);
    expect(store.getState().notices).toHaveLength(1);
  });
  it('the same message is shown once', () => {
    const { store, editor } = setUp();
    const failure = { code: 'fileEmpty', subject: 'x.png' } as const;
    editor.notify({ kind: 'failure', failure });
    editor.notify({ kind: 'failure', failure });
    expect(store.getState().notices).toHaveLength(1);
    editor.dismiss(store.getState().notices[0]?.id ?? -1);
    expect(store.getState().notices).toEqual([]);
  });
  it('keeps a filter selected when undo takes the selected one away', () => {
    const { store, editor, id } = setUp();
    editor.add('sobel');
    editor.undo();
    expect(store.getState().selectedId).toBe(id);
  });
  it('another picture begins without filters, and undo brings them back to it', () => {
    const { store, editor, id } = setUp();
    editor.showPicture({ ...picture, id: 2, warnings: [{ kind: 'notWhole' }] });
    expect(stackOf(store.getState())).toEqual([]);
    expect(store.getState().notices).toHaveLength(1);
    editor.undo();
    expect(stackOf(store.getState()).map((filter) => filter.id)).toEqual([id]);
    expect(store.getState().image?.id).toBe(2);
  });
  it('closing forgets the picture and its history', () => {
    const { store, editor } = setUp();
    editor.removePicture();
    expect([store.getState().image, stackOf(store.getState()), store.getState().selectedId]).toEqual([null, [], null]);
  });
});
