import './review.css';
import type { ToReviewPage } from '../../src/shared/changes/reviewPage';
import { startEditorPage } from '../base/editorPage';
import { ReviewPage, type PageMemory } from './reviewPage';

startEditorPage<ToReviewPage, PageMemory>(
  {
    review: true,
    reviewContent: true,
    reviewChanged: true,
    decided: true,
    comments: true,
    commentSent: true,
    commentEdited: true,
    focusReview: true,
  },
  { view: 'auto', showsDecided: false },
  (...parts) => new ReviewPage(...parts),
);
